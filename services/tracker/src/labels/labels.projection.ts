import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { IssueOpened, IssueUpdated } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import { FIRST_FORMER_LABEL_ID } from '@forgelog/contracts/tracker/labels/former-label-id.ts';
import { type LabelEvent, labelEvents } from '@forgelog/contracts/tracker/labels/label.events.ts';
import { labelLifetime } from '@forgelog/contracts/tracker/labels/label.lifetime.ts';
import {
  MergeRequestCreated,
  MergeRequestUpdated,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';
import { DEFAULT_COLOR } from './label-color.ts';

export const labels = defineCollection({
  name: 'labels',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer?',
    groupId: 'integer?',
    title: 'text',
    color: 'text',
    description: 'text?',
    priority: 'integer?',
    confidential: 'boolean',
    subscriberIds: 'integer[]',
    /** Whether an event began it. Others are known of by events that named them before labels were records. */
    recorded: 'boolean',
  },
  indexes: [['projectId', 'title'], ['groupId', 'title'], ['title'], ['priority']],
  search: ['title', 'description'],
  holds: { lifetime: labelLifetime, where: eq('recorded', true) },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

export type LabelRow = DocumentOf<typeof labels>;

/** Deleted labels, which issues and merge requests still name. */
export const endedLabels = defineCollection({
  name: 'ended_labels',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer?',
    groupId: 'integer?',
    /** The label that took its place. */
    replacedById: 'integer?',
  },
  indexes: [['projectId'], ['groupId'], ['replacedById']],
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

const naming = [IssueOpened, IssueUpdated, MergeRequestCreated, MergeRequestUpdated] as const;
type Naming = EventOf<(typeof naming)[number]>;

export const labelsProjection = defineProjection<LabelEvent | Naming>({
  name: 'labels',
  collections: [labels, endedLabels],
  handles: [...labelEvents, ...naming].map(({ type }) => type),
  async project(event, documents) {
    if (!('labelId' in event.data)) return keepFormer(event as Naming, documents);
    const { labelId: id, projectId, groupId } = event.data;
    const row = await documents.get(labels, id);
    if (event.type === 'LabelCreated') {
      const { labelId: _, ...label } = event.data;
      return documents.put(labels, { id, ...label, subscriberIds: [], recorded: true });
    }
    if (!row) return;
    switch (event.type) {
      case 'LabelUpdated':
        return documents.put(labels, { ...row, ...event.data.changes });
      case 'LabelDeleted':
        documents.delete(labels, id);
        return documents.put(endedLabels, {
          ...{ id, projectId, groupId, replacedById: event.data.replacedById },
        });
      case 'LabelSubscribed':
        return documents.put(labels, { ...row, subscriberIds: [...row.subscriberIds, event.data.userId] });
      case 'LabelUnsubscribed': {
        const { userId } = event.data;
        const subscriberIds = row.subscriberIds.filter((subscriber) => subscriber !== userId);
        return documents.put(labels, { ...row, subscriberIds });
      }
    }
  },
});

/** Labels of a time when events named them and no event began them. */
async function keepFormer({ type, data }: Naming, documents: ProjectionDocuments): Promise<void> {
  const { projectId } = data;
  const { labelIds = [], labels: titles = [] } = 'changes' in data ? data.changes : data;
  // An update of an issue does not tell whether it is confidential.
  const isOpen = type === 'IssueOpened' ? !data.confidential : type !== 'IssueUpdated';
  for (const [at, id] of labelIds.entries()) {
    if (id < FIRST_FORMER_LABEL_ID || (await documents.get(endedLabels, id))) continue;
    const known = await documents.get(labels, id);
    if (known && !known.recorded && known.confidential && isOpen)
      documents.put(labels, { ...known, confidential: false });
    if (known) continue;
    const look = { color: DEFAULT_COLOR, description: null, priority: null, confidential: !isOpen };
    const place = { projectId, groupId: null };
    documents.put(labels, {
      ...{ id, ...place, title: titles[at]!, ...look, subscriberIds: [], recorded: false },
    });
  }
}
