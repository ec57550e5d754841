import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { requireTarget } from '../targets/target.access.ts';
import type { TargetKind } from '../targets/target.ts';
import { parseDuration } from './duration.ts';
import type { TimeCommand } from './time-tracking.decider.ts';
import { timeStatsJson } from './time-tracking.view.ts';

/** Estimates of the targets of one kind, and the time spent on them. */
export function timeTrackingRoutes(
  ports: ServicePorts,
  kind: TargetKind,
  { endpoints, timesOf, book }: NonNullable<TargetKind['timeTracking']>,
): Implementation[] {
  const view = timeStatsJson.renderer(ports);

  async function statsOf(request: ApiRequest) {
    return json(view.one(timesOf(await requireTarget(kind, ports, request))));
  }

  async function booked(request: ApiRequest, command: TimeCommand) {
    await book(ports, await requireTarget(kind, ports, request), command, request.metadata);
    return statsOf(request);
  }

  return [
    implement(endpoints.setEstimate, async (request) =>
      booked(request, { type: 'SetTimeEstimate', seconds: secondsOf(request.params.duration) }),
    ),
    implement(endpoints.resetEstimate, (request) => booked(request, { type: 'SetTimeEstimate', seconds: 0 })),
    implement(endpoints.addSpent, async (request) => {
      const { duration, summary = null } = request.params;
      const { userId } = request.caller;
      return booked(request, { type: 'AddTimeSpent', userId, seconds: secondsOf(duration), summary });
    }),
    implement(endpoints.resetSpent, (request) => booked(request, { type: 'ResetTimeSpent' })),
    implement(endpoints.stats, (request) => statsOf(request)),
  ];
}

function secondsOf(duration: string): number {
  const seconds = parseDuration(duration);
  if (seconds !== null) return seconds;
  const problem = duration.trim() === '' ? 'is empty' : 'is invalid';
  throw new Rejection('invalid_parameters', { problems: [`duration ${problem}`] });
}
