import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import {
  type DebianDistributionEvent,
  debianDistributionEvents,
} from '@forgelog/contracts/repo/debian-distributions/debian-distribution.events.ts';
import { debianDistributionLifetime } from '@forgelog/contracts/repo/debian-distributions/debian-distribution.lifetime.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const debianDistributions = defineCollection({
  name: 'debian_distributions',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer?',
    groupId: 'integer?',
    codename: 'text',
    suite: 'text?',
    origin: 'text?',
    label: 'text?',
    version: 'text?',
    description: 'text?',
    validTimeDurationSeconds: 'integer?',
    components: 'text[]',
    architectures: 'text[]',
  },
  indexes: [
    ['projectId', 'codename'],
    ['groupId', 'codename'],
  ],
  holds: { lifetime: debianDistributionLifetime },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

export type DebianDistributionRow = DocumentOf<typeof debianDistributions>;

export const debianDistributionsProjection = defineProjection<DebianDistributionEvent>({
  name: 'debian-distributions',
  collections: [debianDistributions],
  handles: debianDistributionEvents.map(({ type }) => type),
  async project(event, documents) {
    const { debianDistributionId: id } = event.data;
    switch (event.type) {
      case 'DebianDistributionCreated': {
        const { debianDistributionId: _, ...distribution } = event.data;
        return documents.put(debianDistributions, { id, ...distribution });
      }
      case 'DebianDistributionUpdated': {
        const row = await documents.get(debianDistributions, id);
        if (row) documents.put(debianDistributions, { ...row, ...event.data.changes });
        return;
      }
      case 'DebianDistributionDeleted':
        return documents.delete(debianDistributions, id);
      default:
        event satisfies never;
    }
  },
});
