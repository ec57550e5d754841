import {
  IssueClosed,
  IssueIterationSet,
  IssueOpened,
  IssueReopened,
  IssueUpdated,
} from '@forgelog/contracts/tracker/issues/issue.events.ts';
import {
  MergeRequestClosed,
  MergeRequestCreated,
  MergeRequestMerged,
  MergeRequestReopened,
  MergeRequestUpdated,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { initiatorOf, type RecordedEvent } from '@forgelog/eventing/event.ts';
import { type EventRule, on } from '../targets/target.ts';
import { issueRef, mergeRequestRef, type TargetRef } from '../targets/target-ref.ts';
import type { ResourceEventRow } from './resource-events.collection.ts';

type Told = Pick<ResourceEventRow, 'word' | 'labelId' | 'milestoneId' | 'iterationId' | 'weight'> & {
  kind: 'state' | 'label' | 'milestone' | 'iteration' | 'weight';
};

/** What an event tells of its target, in the order in which it is shown. */
interface ToldChanges {
  target: TargetRef;
  actorId: number | null;
  told: readonly Told[];
}

interface Planned {
  labelIds?: readonly number[] | undefined;
  milestoneId?: number | null | undefined;
  weight?: number | null | undefined;
}

const NOTHING = { labelId: null, milestoneId: null, iterationId: null, weight: null };

const state = (word: string): Told => ({ ...NOTHING, kind: 'state', word });

/** @param previous null where the event is too old to tell it, so that nothing is known of the change */
function planned(changes: Planned, previous: Planned | null): Told[] {
  if (previous === null) return [];
  const told: Told[] = [];
  const { labelIds: labels, milestoneId, weight } = changes;
  if (labels) {
    const before = previous.labelIds ?? [];
    const label = (word: string) => (labelId: number) =>
      ({ ...NOTHING, kind: 'label', word, labelId }) as const;
    told.push(...labels.filter((id) => !before.includes(id)).map(label('add')));
    told.push(...before.filter((id) => !labels.includes(id)).map(label('remove')));
  }
  // One that takes the place of another is added alone, as clients of the family expect.
  if (milestoneId) told.push({ ...NOTHING, kind: 'milestone', word: 'add', milestoneId });
  else if (milestoneId === null && previous.milestoneId)
    told.push({ ...NOTHING, kind: 'milestone', word: 'remove', milestoneId: previous.milestoneId });
  // Zero is a weight.
  if (weight !== undefined && weight !== (previous.weight ?? null))
    told.push({ ...NOTHING, kind: 'weight', word: weight === null ? 'remove' : 'add', weight });
  return told;
}

/** One that takes the place of another is added alone, as a milestone is. */
function intoIteration(after: number | null | undefined, before: number | null | undefined): Told[] {
  if (after) return [{ ...NOTHING, kind: 'iteration', word: 'add', iterationId: after }];
  return before ? [{ ...NOTHING, kind: 'iteration', word: 'remove', iterationId: before }] : [];
}

const actorOf = ({ metadata }: RecordedEvent) => initiatorOf(metadata).actorId;

export const toldChanges: readonly EventRule<ToldChanges>[] = [
  on(IssueOpened, ({ data }) => ({
    target: issueRef(data),
    actorId: data.authorId,
    told: planned(data, {}),
  })),
  on(IssueUpdated, (event) => {
    const { changes, previous } = event.data;
    return { target: issueRef(event.data), actorId: actorOf(event), told: planned(changes, previous) };
  }),
  on(IssueIterationSet, (event) => {
    const { changes, previous } = event.data;
    const told = intoIteration(changes.iterationId, previous?.iterationId);
    return { target: issueRef(event.data), actorId: actorOf(event), told };
  }),
  on(IssueClosed, ({ data }) => ({
    target: issueRef(data),
    actorId: data.closedById,
    told: [state('closed')],
  })),
  on(IssueReopened, (event) => ({
    ...{ target: issueRef(event.data), actorId: actorOf(event), told: [state('reopened')] },
  })),
  on(MergeRequestCreated, ({ data }) => ({
    ...{ target: mergeRequestRef(data), actorId: data.authorId, told: planned(data, {}) },
  })),
  on(MergeRequestUpdated, (event) => {
    const { changes, previous } = event.data;
    return { target: mergeRequestRef(event.data), actorId: actorOf(event), told: planned(changes, previous) };
  }),
  on(MergeRequestClosed, ({ data }) => ({
    ...{ target: mergeRequestRef(data), actorId: data.closedById, told: [state('closed')] },
  })),
  on(MergeRequestReopened, (event) => ({
    ...{ target: mergeRequestRef(event.data), actorId: actorOf(event), told: [state('reopened')] },
  })),
  on(MergeRequestMerged, ({ data }) => ({
    ...{ target: mergeRequestRef(data), actorId: data.mergedById, told: [state('merged')] },
  })),
];
