import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Log } from './log.ts';
import { rpcErrors } from './rpc-errors.ts';

/** The number of the event at a position; length + 1 for the end. @throws RpcError */
export function numberOf(log: Log, place: streams.ReadReq.Options.AllOptions): number {
  const position = place.getPosition();
  if (place.hasStart()) return 1;
  if (!position) return log.length() + 1;
  const commit = BigInt(position.getCommitPosition());
  if (commit < BigInt(position.getPreparePosition())) throw rpcErrors.invalid('the position is invalid');
  return log.numberAt(commit);
}
