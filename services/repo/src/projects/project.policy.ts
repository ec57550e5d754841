import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { and, eq, has } from '@forgelog/eventing/query.ts';
import type { Repositories } from '../repository-storage/repositories.ts';
import { projects } from './project.collection.ts';
import { projectDecider, projectStream } from './project.decider.ts';
import type { Storages } from './storages.ts';

const BATCH = 1000;

export function projectPolicies(
  ports: Pick<ServicePorts, 'commands' | 'readStore'> & {
    repositories: Repositories;
    storages: Storages;
  },
): Policy[] {
  const { commands, readStore, repositories, storages } = ports;
  return [
    definePolicy({
      name: 'projects-of-deleted-namespaces',
      handles: [GroupDeleted, UserDeleted],
      actsAs: 'actor',
      async react(event, { metadata }) {
        const below =
          event.type === 'GroupDeleted'
            ? has('ancestors', event.data.groupId)
            : eq('namespaceId', event.data.namespaceId);
        // Deleted projects leave the read model, so the first page is always the next one.
        for (;;) {
          const where = and(eq('gone', true), eq('repositoryStorage', storages.own), below);
          const found = await readStore.find(projects, { where, limit: BATCH, select: ['id'] });
          for (const { id: projectId } of found) {
            const command = { type: 'DeleteProject' as const, projectId };
            await commands.handle(projectDecider, projectStream(projectId), command, metadata);
          }
          if (found.length < BATCH) return;
        }
      },
    }),
    definePolicy({
      name: 'remains-of-deleted-projects',
      handles: [ProjectDeleted],
      actsAs: 'system',
      async react(event) {
        // Wherever the event says it was: a copy may be here that was to move, or had moved.
        const { projectId } = event.data;
        await repositories.idle(projectId);
        await repositories.remove(projectId);
      },
    }),
  ];
}
