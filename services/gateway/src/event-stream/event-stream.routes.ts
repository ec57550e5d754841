import { isInLog } from '@forgelog/contracts/event.ts';
import {
  streamEvents,
  streamGroupEvents,
  streamProjectEvents,
} from '@forgelog/contracts/gateway/event-stream/event-stream.api.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import type { Authorizer } from '@forgelog/service-kit/access.ts';
import type { InstanceKey } from '@forgelog/service-kit/instance-key.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { placeReach } from './place.access.ts';
import { sealedPositions } from './sealed-position.ts';
import { createStreamAnswers, type StreamAnswerPorts, type StreamAnswers } from './stream-answers.ts';
import { WholeLog } from './whole-log.access.ts';

export interface EventStreamPorts extends Omit<StreamAnswerPorts, 'carries'> {
  authorizer: Authorizer;
  instanceKey: InstanceKey;
  /** The subscriber as of a log position; undefined once their credential is no longer valid. */
  renewedAt(subscriber: Principal, position: Position): Promise<Principal | undefined>;
}

export interface EventStreams extends Omit<StreamAnswers, 'answer'> {
  routes: Implementation[];
}

/** Serves the log to administrators, and parts of it to those who maintain a project or group. */
export function eventStreamRoutes(ports: EventStreamPorts): EventStreams {
  const places = { ...ports, positions: sealedPositions(ports.instanceKey) };
  const { answer, drain, positions } = createStreamAnswers({ ...ports, carries: isInLog });
  return {
    routes: [
      implement(streamEvents, ({ params, headers, caller }) =>
        answer({
          ...{ params, headers, principal: caller, path: streamEvents.path },
          reach: new WholeLog(ports, caller),
        }),
      ),
      implement(streamProjectEvents, ({ params, headers, caller, project: { project } }) =>
        answer({
          ...{ params, headers, principal: caller, projectId: project.id },
          path: `/projects/${project.id}/event_stream`,
          reach: placeReach(places, { kind: 'project', id: project.id }, caller),
        }),
      ),
      implement(streamGroupEvents, ({ params, headers, caller, group: { group } }) =>
        answer({
          ...{ params, headers, principal: caller },
          path: `/groups/${group.id}/event_stream`,
          reach: placeReach(places, { kind: 'group', id: group.id }, caller),
        }),
      ),
    ],
    drain,
    positions,
  };
}
