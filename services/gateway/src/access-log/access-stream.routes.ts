import { Rejection } from '@forgelog/contracts/errors.ts';
import { ACCESS_LOG } from '@forgelog/contracts/event.ts';
import {
  streamAccessEvents,
  streamOwnAccessEvents,
} from '@forgelog/contracts/gateway/access-log/access-log.api.ts';
import type { InstanceKey } from '@forgelog/service-kit/instance-key.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { sealedPositions } from '../event-stream/sealed-position.ts';
import {
  createStreamAnswers,
  type StreamAnswerPorts,
  type StreamAnswers,
} from '../event-stream/stream-answers.ts';
import { ownAccess, wholeAccessLog } from './access-log.access.ts';

export interface AccessStreamPorts extends Omit<StreamAnswerPorts, 'carries' | 'store'> {
  /** undefined where the access log is off. */
  store: StreamAnswerPorts['store'] | undefined;
  instanceKey: InstanceKey;
  /** The subscriber as of now; undefined once their credential is no longer valid. */
  renewed(subscriber: Principal): Promise<Principal | undefined>;
}

/** Those who read what is old ask the store without a cache, so there are fewer than of streams of the log. */
const LIMITS = { streams: 200, streamsOfUser: 50, streamsOfMembers: 100, streamsOfMember: 5 };

/** Serves the access log to administrators, and to each user what it has about them. */
export function accessStreamRoutes(ports: AccessStreamPorts): {
  routes: Implementation[];
  drain: () => void;
} {
  const { store } = ports;
  const positions = sealedPositions(ports.instanceKey);
  const answers =
    store &&
    createStreamAnswers({
      ...ports,
      store,
      carries: ({ service }) => service === ACCESS_LOG,
      subscriberLimits: LIMITS,
    });
  const answer: StreamAnswers['answer'] = async (asked) => {
    if (!answers) throw new Rejection('not_found', { what: 'Access Log' });
    return answers.answer(asked);
  };
  return {
    routes: [
      implement(streamAccessEvents, ({ params, headers, caller }) =>
        answer({
          ...{ params, headers, principal: caller, path: streamAccessEvents.path },
          reach: wholeAccessLog(ports, caller),
        }),
      ),
      implement(streamOwnAccessEvents, ({ params, headers, caller }) =>
        answer({
          ...{ params, headers, principal: caller, path: streamOwnAccessEvents.path },
          reach: ownAccess({ ...ports, positions }, caller),
        }),
      ),
    ],
    drain: () => answers?.drain(),
  };
}
