import { hkdfSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import { z } from 'zod';
import { secretKeys } from '../instance-key.ts';

export const PEER_PAGE = '/-/peer';
/** Raise it with a change of the exchange between processes that a process of the version before cannot follow. */
const PROTOCOL = 2;
/** An exchange token lives for 10 s, and 5 s more are allowed for skew. */
const MAX_SKEW_MS = 8_000;

const introduction = z.object({
  service: z.string(),
  protocol: z.int(),
  /** Marks of the keys, the one that signs first. They tell nothing about the keys. */
  keys: z.array(z.string()).min(1),
  time: z.number(),
});

export type Introduction = z.output<typeof introduction>;

export interface OwnSide {
  service: ServiceName;
  secretKey: string;
  clock: () => Date;
}

const markOf = (secret: string) =>
  Buffer.from(hkdfSync('sha256', secret, '', 'forgelog peers', 9)).toString('base64url');

export const introduce = ({ service, secretKey, clock }: OwnSide): Introduction => ({
  ...{ service, protocol: PROTOCOL },
  keys: secretKeys(secretKey).map(markOf),
  time: clock().getTime(),
});

export function servePeers(own: OwnSide) {
  return (_: IncomingMessage, response: ServerResponse, path: string): boolean => {
    if (path !== PEER_PAGE) return false;
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    response.end(JSON.stringify(introduce(own)));
    return true;
  };
}

/** In words that a peer's name follows. */
export type Disagreement = string;

/** Resolves to undefined if the peer cannot be reached, or is too old to introduce itself. */
export async function meet(
  url: string,
  own: OwnSide,
  timeoutMs: number,
): Promise<Disagreement[] | undefined> {
  const before = own.clock().getTime();
  let peer: Introduction;
  try {
    const response = await fetch(url + PEER_PAGE, { signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) return void (await response.body?.cancel());
    peer = introduction.parse(await response.json());
  } catch {
    return undefined;
  }
  return disagreements(peer, introduce(own), { before, after: own.clock().getTime() });
}

/** @param asked when the question left and when its answer came: the peer's time lies between, if the clocks agree */
export function disagreements(
  peer: Introduction,
  own: Introduction,
  asked: { before: number; after: number },
): Disagreement[] {
  const found: Disagreement[] = [];
  if (peer.protocol !== own.protocol)
    found.push(
      `its version exchanges requests in another way (${own.protocol} here, ${peer.protocol} there) than`,
    );
  if (!peer.keys.includes(own.keys[0]!) || !own.keys.includes(peer.keys[0]!))
    found.push('its SECRET_KEY is not that of');
  const ahead = asked.before - peer.time;
  const behind = peer.time - asked.after;
  const skew = Math.max(ahead, behind);
  if (skew > MAX_SKEW_MS)
    found.push(`its clock is ${Math.round(skew / 1000)} s ${ahead > behind ? 'ahead of' : 'behind'} that of`);
  return found;
}
