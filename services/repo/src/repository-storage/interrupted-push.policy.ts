import { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import type { Storages } from '../projects/storages.ts';
import type { Repositories } from './repositories.ts';

/** Ends pushes whose server was killed between two of their refs. */
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
      const { projectId, pushId, via, pushOptions } = event.data;
      if (pushId === null) return;
      // Only the instance of the storage knows which pushes are running.
      if ((await directory.project(projectId))?.storage !== storages.own) return;
      await repositories.idle(projectId);
      await repositories.endPush({ projectId, pushId, via, pushOptions, metadata });
    },
  });
