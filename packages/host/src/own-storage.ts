import type { Authorizer } from '@forgelog/service-kit/access.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { unavailable } from '@forgelog/service-kit/unavailable.ts';

const RETRY_S = 5;

/**
 * Limits rights to projects of this instance's storage. A request for another one means that REPO_URL is wrong; an
 * answer would show an empty repository.
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
        'request for a project of another storage: REPO_URL has no address or a wrong one for it',
      );
      throw unavailable('the storage of this repository cannot be reached', RETRY_S);
    },
  };
}
