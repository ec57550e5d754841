import { milestoneView } from '@forgelog/contracts/tracker/milestones/milestone.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { ifGiven } from '@forgelog/service-kit/view-optional.ts';
import { derived, given, host, text } from '@forgelog/service-kit/view-parts.ts';
import type { MilestoneRow } from './milestones.projection.ts';

export interface ShownMilestone extends MilestoneRow {
  /** Where its page is, below the host. */
  page: string;
}

export interface MilestoneRequest {
  /** `YYYY-MM-DD` */
  today: string;
}

export const milestoneJson = implementView(milestoneView).from<ShownMilestone, MilestoneRequest>({
  id: 'id',
  iid: 'iid',
  project_id: ifGiven(({ projectId }: ShownMilestone) => projectId ?? undefined),
  group_id: ifGiven(({ groupId }: ShownMilestone) => groupId ?? undefined),
  title: 'title',
  description: 'description',
  state: derived(['state'], (state: string) => state as 'active' | 'closed'),
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  due_date: 'dueDate',
  start_date: 'startDate',
  expired: given(
    ({ dueDate }: ShownMilestone, { today }: MilestoneRequest) => dueDate !== null && dueDate < today,
  ),
  web_url: text`${host}/${'page'}`,
});
