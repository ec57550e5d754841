import { GroupDeleted } from '@forgelog/contracts/admin/group.events.ts';
import { UserDeleted } from '@forgelog/contracts/admin/user.events.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/project.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata, RecordedEvent } from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { and, eq, has } from '@forgelog/eventing/query.ts';
import type { Repositories } from '../repositories/repositories.ts';
import { projects } from './project.collections.ts';
import { projectDecider, projectStream } from './project.decider.ts';
import type { Storages } from './storages.ts';

const BATCH = 1000;

/** Metadata of what follows from an event: the same actor, and what caused it. */
export const following = (event: RecordedEvent): EventMetadata => ({
  ...event.metadata,
  causationId: event.id,
});

/** What follows for the projects of this instance's storage: those of others are theirs. */
export function projectPolicies(
  ports: Pick<ServicePorts, 'commands' | 'readStore'> & {
    repositories: Repositories;
    storages: Storages;
  },
): Policy[] {
  const { commands, readStore, repositories, storages } = ports;
  return [
    {
      name: 'projects-of-deleted-namespaces',
      handles: [GroupDeleted.type, UserDeleted.type],
      async react(event) {
        const deleted = event as unknown as EventOf<typeof GroupDeleted | typeof UserDeleted>;
        const below =
          deleted.type === 'GroupDeleted'
            ? has('ancestors', deleted.data.groupId)
            : eq('namespaceId', deleted.data.namespaceId);
        // Deleted ones leave the read model, so the first page is always the next.
        for (;;) {
          const where = and(eq('gone', true), eq('repositoryStorage', storages.own), below);
          const found = await readStore.find(projects, { where, limit: BATCH, select: ['id'] });
          for (const { id: projectId } of found) {
            const command = { type: 'DeleteProject' as const, projectId };
            await commands.handle(projectDecider, projectStream(projectId), command, following(event));
          }
          if (found.length < BATCH) return;
        }
      },
    },
    {
      name: 'remains-of-deleted-projects',
      handles: [ProjectDeleted.type],
      async react(event) {
        const { projectId, storage } = (event as unknown as EventOf<typeof ProjectDeleted>).data;
        if (storage !== storages.own) return;
        await repositories.settled(projectId);
        await repositories.remove(projectId);
      },
    },
  ];
}
