import { ProjectCreated } from '@forgelog/contracts/repo/projects/project.events.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import type { Storages } from '../projects/storages.ts';
import type { Forking } from './forking.ts';
import type { Repositories } from './repositories.ts';

/**
 * Finishes forks whose server was killed, or whose log was away, between the project and its refs. The log tells the
 * refs that the origin had; their objects are in the fork since before it had a project.
 */
export const unfinishedForks = ({
  repositories,
  forking,
  storages,
}: {
  repositories: Repositories;
  forking: Forking;
  storages: Storages;
}): Policy =>
  definePolicy({
    name: 'finish-forks',
    handles: [ProjectCreated],
    actsAs: 'actor',
    async react(event, { metadata }) {
      const { projectId, storage, forkedFromProjectId: originId, forkedAtRevision } = event.data;
      if (originId === null || storage !== storages.own) return;
      await repositories.idle(projectId);
      if ((await forking.isFinished(projectId)) || (await repositories.isDeleted(projectId))) return;
      // Others find the refs when git has them.
      const release = repositories.hold(projectId);
      try {
        const point = await forking.pointOf(originId, forkedAtRevision);
        await forking.record(projectId, point, metadata, () => repositories.rollForward(projectId));
      } finally {
        release();
      }
    },
  });
