import type { iterationView } from '@forgelog/contracts/tracker/iterations/iteration.api.ts';
import {
  iterationEventView,
  labelEventView,
  milestoneEventView,
  stateEventView,
  weightEventView,
} from '@forgelog/contracts/tracker/resource-events/resource-event.api.ts';
import type { TargetType } from '@forgelog/contracts/tracker/targets/target.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived, given } from '@forgelog/service-kit/view-parts.ts';
import { user } from '@forgelog/service-kit/view-placeholders.ts';
import type { z } from 'zod';
import type { LabelRow } from '../labels/labels.projection.ts';
import { milestone } from '../milestones/milestone.placeholder.ts';
import type { ResourceEventRow } from './resource-events.collection.ts';

const shared = {
  id: 'id',
  user: user('actorId'),
  created_at: 'createdAt',
  resource_type: derived(['targetType'], (type: string) => type as TargetType),
  resource_id: 'targetId',
} as const;
const action = derived(['word'], (word: string) => word as 'add' | 'remove');

export const stateEventJson = implementView(stateEventView).from<ResourceEventRow>({
  ...shared,
  state: derived(['word'], (word: string) => word as 'closed' | 'reopened' | 'merged'),
});

export const weightEventJson = implementView(weightEventView).from<ResourceEventRow>({
  id: 'id',
  user: user('actorId'),
  created_at: 'createdAt',
  issue_id: 'targetId',
  weight: 'weight',
});

export interface LabelEventRequest {
  /** By the id that events have, as far as the caller may see them. */
  labels: ReadonlyMap<number, LabelRow | null>;
}

export const labelEventJson = implementView(labelEventView).from<ResourceEventRow, LabelEventRequest>({
  ...shared,
  label: given(({ labelId }: ResourceEventRow, { labels }: LabelEventRequest) => {
    const label = labels.get(labelId!);
    if (!label) return null;
    const { id, title: name, color, description } = label;
    return { id, name, color, description };
  }),
  action,
});

export interface IterationEventRequest {
  /** By their ids, as far as the target can be in them. */
  iterations: ReadonlyMap<number, z.output<typeof iterationView>>;
}

export const iterationEventJson = implementView(iterationEventView).from<
  ResourceEventRow,
  IterationEventRequest
>({
  ...shared,
  iteration: given(
    ({ iterationId }: ResourceEventRow, { iterations }: IterationEventRequest) =>
      iterations.get(iterationId!) ?? null,
  ),
  action,
});

export const milestoneEventJson = implementView(milestoneEventView).from<ResourceEventRow>({
  ...shared,
  milestone: milestone('milestoneId'),
  action,
});
