import {
  MergeRequestCreated,
  MergeRequestDeleted,
  type MergeRequestEvent,
  MergeRequestUpdated,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { closedBy, issueKeys } from '../merge-requests/closing-pattern.ts';
import { issueClosers } from './issue-closers.collection.ts';

type Handled = Extract<
  MergeRequestEvent,
  { type: 'MergeRequestCreated' | 'MergeRequestUpdated' | 'MergeRequestDeleted' }
>;

export const issueClosersProjection = defineProjection<Handled>({
  name: 'issue-closers',
  collections: [issueClosers],
  handles: [MergeRequestCreated, MergeRequestUpdated, MergeRequestDeleted].map(({ type }) => type),
  async project({ type, data }, documents) {
    const { projectId, iid } = data;
    const place = placeOf(projectId, iid)!;
    const description = descriptionAfter({ type, data } as Handled);
    if (description === undefined) return;
    await documents.deleteAll(issueClosers, eq('place', place));
    for (const issue of issueKeys(closedBy(description ?? ''), projectId))
      documents.put(issueClosers, { key: `${place} ${issue}`, issue, place, projectId });
  },
});

/** Undefined where the event leaves it. */
function descriptionAfter({ type, data }: Handled): string | null | undefined {
  switch (type) {
    case 'MergeRequestCreated':
      return data.description;
    case 'MergeRequestUpdated':
      return data.changes.description;
    case 'MergeRequestDeleted':
      return null;
    default:
      return type satisfies never;
  }
}
