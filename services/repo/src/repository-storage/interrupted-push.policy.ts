import { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import type { Storages } from '../projects/storages.ts';
import type { Repositories } from './repositories.ts';

/**
 * Makes up for pushes that were interrupted. A ref stays behind the log if the append was stored after its writer had
 * given up, or the log was away when it failed. A push has no end if the server was killed between two of its refs.
 */
export const interruptedPushes = ({
  directory,
  repositories,
  storages,
}: Pick<ServicePorts, 'directory'> & { repositories: Repositories; storages: Storages }): Policy =>
  definePolicy({
    name: 'end-interrupted-pushes',
    handles: [RefUpdated],
    actsAs: 'actor',
    async react(event, { metadata }) {
      const { projectId, ref, pushId, via, pushOptions } = event.data;
      // Only the instance of the storage knows which pushes are running.
      if ((await directory.project(projectId))?.storage !== storages.own) return;
      await repositories.idle(projectId);
      await repositories.follow(projectId, ref);
      if (pushId !== null && via !== 'fork')
        await repositories.endPush({ projectId, pushId, via, pushOptions, metadata });
    },
  });
