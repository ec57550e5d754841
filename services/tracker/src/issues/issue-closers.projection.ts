import {
  MergeRequestCreated,
  MergeRequestDeleted,
  type MergeRequestEvent,
  MergeRequestUpdated,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { closedBy, issueKeys } from '../merge-requests/closing-pattern.ts';
import { issueClosers } from './issue-closers.collection.ts';

type Handled = Extract<
  MergeRequestEvent,
  { type: 'MergeRequestCreated' | 'MergeRequestUpdated' | 'MergeRequestDeleted' }
>;

const HANDLED = [MergeRequestCreated, MergeRequestUpdated, MergeRequestDeleted].map(({ type }) => type);

/** @param named is called with the projects whose issues merge requests name, by id or path */
export const issueClosersProjection = (named: (projects: readonly string[]) => void): Projection =>
  defineProjection<Handled>({
    name: 'issue-closers',
    collections: [issueClosers],
    handles: HANDLED,
    async project(event, documents) {
      const keys = keysAfter(event);
      if (keys === undefined) return;
      const { projectId, iid } = event.data;
      const place = placeOf(projectId, iid)!;
      await documents.deleteAll(issueClosers, eq('place', place));
      for (const issue of keys)
        documents.put(issueClosers, { key: `${place} ${issue}`, issue, place, projectId });
    },
    applied(events) {
      const keys = events.filter(isHandled).flatMap((event) => keysAfter(event) ?? []);
      named(keys.map((key) => key.slice(0, key.indexOf('#'))));
    },
  });

/** The projection is told of ended projects as well. */
const isHandled = ({ type }: { type: string }) => HANDLED.some((handled) => handled === type);

/** What the merge request closes; undefined where the event leaves it. */
function keysAfter({ type, data }: Pick<Handled, 'type' | 'data'>): string[] | undefined {
  const description = descriptionAfter({ type, data } as Handled);
  return description === undefined ? undefined : issueKeys(closedBy(description ?? ''), data.projectId);
}

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
