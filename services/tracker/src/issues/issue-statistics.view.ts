import { issueStatisticsView } from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';

interface Counts {
  all: number;
  closed: number;
  opened: number;
}

export const issueStatisticsJson = implementView(issueStatisticsView).from<Counts>({
  statistics: { counts: { all: 'all', closed: 'closed', opened: 'opened' } },
});
