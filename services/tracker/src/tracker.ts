import { TrackerRecordsEnded } from '@forgelog/contracts/shared/records-ended.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { tellingEndedRecords } from '@forgelog/service-kit/ended-records.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import { composeService } from '@forgelog/service-kit/slice.ts';
import { activityEvents } from './activity-events/activity-event.slice.ts';
import { discussions } from './discussions/discussion.slice.ts';
import { issues } from './issues/issue.slice.ts';
import { issueTarget } from './issues/issue.target.ts';
import type { TargetKind } from './targets/target.ts';
import { timeTracking } from './time-tracking/time-tracking.slice.ts';
import { todos } from './todos/todo.slice.ts';

/** What can be talked about: a line a kind. */
const targets: readonly TargetKind[] = [issueTarget];

const slices = [issues, timeTracking(targets), todos(targets), discussions(targets), activityEvents(targets)];

/** The tracker service: a line a slice. */
export const createTracker = (ports: ServicePorts): Service => ({
  ...tellingEndedRecords(composeService('tracker', ports, slices), TrackerRecordsEnded, ports),
  answersFromReadModels: true,
});
