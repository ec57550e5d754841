import { iterationView } from '@forgelog/contracts/tracker/iterations/iteration.api.ts';
import { iterationCadenceView } from '@forgelog/contracts/tracker/iterations/iteration-cadence.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { given, host, text } from '@forgelog/service-kit/view-parts.ts';
import type { IterationCadenceRow, IterationRow } from './iterations.projection.ts';

/** With where its page is, below the host, and with its number among those of its cadence. */
export interface ShownIteration extends IterationRow {
  page: string;
  sequence: number;
}

export interface IterationRequest {
  /** `YYYY-MM-DD` */
  today: string;
}

const UPCOMING = 1;
const CURRENT = 2;
const CLOSED = 3;

function stateOf({ startDate, dueDate }: ShownIteration, { today }: IterationRequest): 1 | 2 | 3 {
  if (dueDate < today) return CLOSED;
  return startDate > today ? UPCOMING : CURRENT;
}

export const iterationJson = implementView(iterationView).from<ShownIteration, IterationRequest>({
  id: 'id',
  iid: 'iid',
  sequence: 'sequence',
  group_id: 'groupId',
  title: 'title',
  description: 'description',
  state: given(stateOf),
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  start_date: 'startDate',
  due_date: 'dueDate',
  web_url: text`${host}/${'page'}`,
});

export const iterationCadenceJson = implementView(iterationCadenceView).from<IterationCadenceRow>({
  id: 'id',
  group_id: 'groupId',
  title: 'title',
  description: 'description',
  start_date: 'startDate',
  duration_in_weeks: 'durationInWeeks',
  iterations_in_advance: 'iterationsInAdvance',
  automatic: 'automatic',
  active: 'active',
  roll_over: 'rollOver',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
});
