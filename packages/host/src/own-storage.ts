import type { Authorizer } from '@forgelog/service-kit/access.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { unavailable } from '@forgelog/service-kit/unavailable.ts';

const RETRY_S = 5;

/**
 * Rights in an instance that holds one storage: whoever may see a project of another one has come to the wrong door,
 * because a setting names the wrong address or none. To answer him would show an empty repository.
 */
export function ownStorageOnly(
  authorizer: Authorizer,
  { storage, log }: { storage: string; log: Logger },
): Authorizer {
  return {
    ...authorizer,
    async project(idOrPath, principal) {
      const grant = await authorizer.project(idOrPath, principal);
      if (!grant || grant.project.storage === storage) return grant;
      const { id, storage: wanted } = grant.project;
      log.error(
        { projectId: id, storage: wanted, own: storage },
        'asked for a project of another storage: REPO_URL has no address for it, or another one than it should',
      );
      throw unavailable('the storage of this repository cannot be reached', RETRY_S);
    },
  };
}
