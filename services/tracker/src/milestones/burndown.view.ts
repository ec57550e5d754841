import { burndownEventView } from '@forgelog/contracts/tracker/milestones/milestone-content.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived } from '@forgelog/service-kit/view-parts.ts';

export interface BurndownEvent {
  createdAt: string;
  weight: number | null;
  action: string;
  issueId: number;
  /** Among the events of one issue: it is opened before it is closed, also in the same millisecond. */
  order: number;
}

export const burndownEventJson = implementView(burndownEventView).from<BurndownEvent>({
  created_at: 'createdAt',
  weight: 'weight',
  action: derived(['action'], (word: string) => word as 'created' | 'closed' | 'reopened'),
});
