import { Rejection } from '@forgelog/contracts/errors.ts';
import { advertiseFirstPush } from '@forgelog/contracts/repo/projects/first-push.operations.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import { collect } from '@forgelog/service-kit/request-body.ts';
import type { FirstPushes } from '../projects/first-push.commands.ts';
import { FIRST_BRANCH } from '../projects/project-creation.commands.ts';
import { unlessBusy } from './git-busy.ts';
import type { Repositories } from './repositories.ts';

/** Bytes; an empty repository advertises no refs. */
const MAX_ADVERTISEMENT = 65_536;

/** Operations for the gateway when a push goes to a path without a project. */
export function firstPushOperations({
  first,
  repositories,
}: {
  first: FirstPushes;
  repositories: Pick<Repositories, 'empty'>;
}): OperationImplementation[] {
  return [
    implementOperation(advertiseFirstPush, async ({ request, principal, signal }) => {
      if (!principal) throw new Rejection('not_found', { what: 'Project' });
      await first.plan(request.path, principal);
      const empty = await repositories.empty(FIRST_BRANCH);
      const options = { protocol: request.protocol ?? undefined, signal };
      const bytes = await unlessBusy(async () =>
        collect(await empty.advertise('git-receive-pack', options), MAX_ADVERTISEMENT),
      );
      return { advertisement: bytes.toString('base64') };
    }),
  ];
}
