import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import { unavailable } from '../unavailable.ts';
import { firstAnswer } from './first-answer.ts';
import { type ServiceClient, wholeBody } from './service-client.ts';

const MAX_ANSWER = 64 * 1024 * 1024;

/** Asks another service for one of the operations that it offers its peers. */
export type PeerCall = <Answer>(operation: string, request: unknown) => Promise<Answer>;

/** Operations of peers only read: one that broke off is repeated. Rejections of the peer pass through. */
export function createPeerCall(ports: {
  client: ServiceClient;
  service: ServiceName;
  /** Instances that can answer: the next one is asked where one does not. */
  urls: readonly string[];
  /** What this process has seen: the answer is not older. */
  position: () => Position;
}): PeerCall {
  return async <Answer>(operation: string, request: unknown) => {
    const body = Buffer.from(JSON.stringify(request));
    const answer = await firstAnswer(ports.urls, async (url) => {
      const incoming = await ports.client.call({
        service: ports.service,
        url,
        method: 'POST',
        target: `/peer/${operation}`,
        headers: { 'Content-Type': 'application/json', 'Content-Length': body.length },
        claims: { kind: 'peer', operation, position: ports.position() },
        body,
        repeatable: true,
      });
      try {
        return await wholeBody(incoming, MAX_ANSWER);
      } catch {
        throw unavailable(`the ${ports.service} service broke off`, 2);
      }
    });
    return JSON.parse(answer.toString('utf8')) as Answer;
  };
}
