import type { AnyEndpoint, ParamsOf } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  addSpentTime,
  getTimeStats,
  resetSpentTime,
  resetTimeEstimate,
  setTimeEstimate,
} from '@forgelog/contracts/tracker/time-tracking.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { type IssueCommand, issueDecider, issueStream } from '../issues/issue.decider.ts';
import { readableBody } from '../issues/issue-visibility.ts';
import { issues, placeOf } from '../issues/issues.collection.ts';
import { parseDuration, timeStats } from './duration.ts';

type Spending = Extract<IssueCommand, { type: 'SetTimeEstimate' | 'AddTimeSpent' | 'ResetTimeSpent' }>;
type WithoutPlace<C> = C extends unknown ? Omit<C, 'projectId' | 'iid'> : never;

export function timeTrackingRoutes({ commands, readStore }: ServicePorts): Implementation[] {
  async function statsOf({ params, principal, project }: ApiRequest<typeof getTimeStats>) {
    const body = await readableBody(readStore, project, principal, params.issue_iid);
    const issue =
      body === undefined
        ? undefined
        : await readStore.get(issues, placeOf(project.project.id, params.issue_iid)!);
    if (!issue?.body) throw new Rejection('record_not_found');
    return value(timeStats(issue.timeEstimate!, issue.timeSpent!));
  }

  /** An endpoint that books time: the command that its parameters make, then the time stats. */
  function book<E extends AnyEndpoint & typeof resetSpentTime>(
    endpoint: E,
    command: (params: ParamsOf<E>, userId: number) => WithoutPlace<Spending>,
  ): Implementation {
    return implement(endpoint, async (request) => {
      const { project, metadata } = request;
      const projectId = project.project.id;
      const iid = request.params.issue_iid as number;
      const place = { projectId, iid };
      await commands.handle(
        issueDecider,
        issueStream(projectId, iid),
        { ...command(request.params, request.caller.userId), ...place },
        metadata,
      );
      return statsOf(request as never);
    });
  }

  return [
    book(setTimeEstimate, ({ duration }) => ({ type: 'SetTimeEstimate', seconds: secondsOf(duration) })),
    book(resetTimeEstimate, () => ({ type: 'SetTimeEstimate', seconds: 0 })),
    book(addSpentTime, ({ duration, summary }, userId) => ({
      type: 'AddTimeSpent',
      userId,
      seconds: secondsOf(duration),
      summary: summary ?? null,
    })),
    book(resetSpentTime, () => ({ type: 'ResetTimeSpent' })),
    implement(getTimeStats, statsOf),
  ];
}

function secondsOf(duration: string): number {
  const seconds = parseDuration(duration);
  if (seconds !== null) return seconds;
  const problem = duration.trim() === '' ? 'is empty' : 'is invalid';
  throw new Rejection('invalid_parameters', { problems: [`duration ${problem}`] });
}
