import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  addSpentTime,
  getTimeStats,
  resetSpentTime,
  resetTimeEstimate,
  setTimeEstimate,
} from '@forgelog/contracts/tracker/time-tracking/time-tracking.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { readableIssue } from '../issues/issue.access.ts';
import { type IssueCommand, issueDecider, issueStream } from '../issues/issue.decider.ts';
import { timeStatsJson } from '../issues/issue.view.ts';
import { parseDuration } from './duration.ts';

type Booking = Extract<IssueCommand, { type: 'SetTimeEstimate' | 'AddTimeSpent' | 'ResetTimeSpent' }>;
type WithoutPlace<C> = C extends unknown ? Omit<C, 'projectId' | 'iid'> : never;

export function timeTrackingRoutes(ports: ServicePorts): Implementation[] {
  const { commands, readStore } = ports;
  const view = timeStatsJson.renderer(ports);

  async function statsOf(project: ProjectGrant, principal: Principal | null, iid: number) {
    const issue = await readableIssue(readStore, project, principal, iid);
    if (!issue) throw new Rejection('record_not_found');
    return json(view.one(issue));
  }

  /** Books time with a command and answers the time stats. */
  async function book(
    { project, caller, metadata }: Pick<ApiRequest, 'project' | 'caller' | 'metadata'>,
    iid: number,
    command: WithoutPlace<Booking>,
  ) {
    const projectId = project.project.id;
    const stream = issueStream(projectId, iid);
    await commands.handle(issueDecider, stream, { ...command, projectId, iid }, metadata);
    return statsOf(project, caller, iid);
  }

  return [
    implement(setTimeEstimate, async (request) => {
      const { issue_iid: iid, duration } = request.params;
      return book(request, iid, { type: 'SetTimeEstimate', seconds: secondsOf(duration) });
    }),
    implement(resetTimeEstimate, async (request) =>
      book(request, request.params.issue_iid, { type: 'SetTimeEstimate', seconds: 0 }),
    ),
    implement(addSpentTime, async (request) => {
      const { issue_iid: iid, duration, summary = null } = request.params;
      const { userId } = request.caller;
      return book(request, iid, { type: 'AddTimeSpent', userId, seconds: secondsOf(duration), summary });
    }),
    implement(resetSpentTime, async (request) =>
      book(request, request.params.issue_iid, { type: 'ResetTimeSpent' }),
    ),
    implement(getTimeStats, async ({ params, principal, project }) =>
      statsOf(project, principal, params.issue_iid),
    ),
  ];
}

function secondsOf(duration: string): number {
  const seconds = parseDuration(duration);
  if (seconds !== null) return seconds;
  const problem = duration.trim() === '' ? 'is empty' : 'is invalid';
  throw new Rejection('invalid_parameters', { problems: [`duration ${problem}`] });
}
