import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  type MilestoneEvent,
  milestoneEvents,
} from '@forgelog/contracts/tracker/milestones/milestone.events.ts';
import { milestoneLifetime } from '@forgelog/contracts/tracker/milestones/milestone.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

/** The due date of what has none, behind all others. */
const NEVER = '9999-12-31';

export const milestones = defineCollection({
  name: 'milestones',
  key: 'id',
  fields: {
    id: 'integer',
    iid: 'integer',
    projectId: 'integer?',
    groupId: 'integer?',
    title: 'text',
    description: 'text?',
    startDate: 'text?',
    dueDate: 'text?',
    /** The due date, or a day behind all. */
    dueOrder: 'text',
    state: 'text',
    createdAt: 'text',
    updatedAt: 'text',
  },
  indexes: [['projectId', 'dueOrder'], ['groupId', 'dueOrder'], ['title']],
  search: ['title', 'description'],
  words: ['title', 'description'],
  holds: { lifetime: milestoneLifetime },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

export type MilestoneRow = DocumentOf<typeof milestones>;

/** Deleted milestones, which issues and merge requests still name. */
export const endedMilestones = defineCollection({
  name: 'ended_milestones',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer?',
    groupId: 'integer?',
    /** The milestone that took its place. */
    replacedById: 'integer?',
  },
  indexes: [['projectId'], ['groupId'], ['replacedById']],
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

export const milestonesProjection = defineProjection<MilestoneEvent>({
  name: 'milestones',
  collections: [milestones, endedMilestones],
  handles: milestoneEvents.map(({ type }) => type),
  async project(event, documents) {
    const { milestoneId: id } = event.data;
    const { time } = event;
    switch (event.type) {
      case 'MilestoneCreated': {
        const { milestoneId: _, ...milestone } = event.data;
        const times = { createdAt: time, updatedAt: time };
        return documents.put(milestones, {
          id,
          ...milestone,
          dueOrder: milestone.dueDate ?? NEVER,
          ...times,
        });
      }
      case 'MilestoneUpdated': {
        const row = await documents.get(milestones, id);
        if (!row) return;
        const next = { ...row, ...event.data.changes, updatedAt: time };
        return documents.put(milestones, { ...next, dueOrder: next.dueDate ?? NEVER });
      }
      case 'MilestoneDeleted': {
        const { projectId, groupId, replacedById } = event.data;
        documents.delete(milestones, id);
        return documents.put(endedMilestones, { id, projectId, groupId, replacedById });
      }
      default:
        event satisfies never;
    }
  },
});
