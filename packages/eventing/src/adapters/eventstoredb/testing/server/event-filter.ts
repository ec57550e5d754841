import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Logged } from './log.ts';
import { rpcErrors } from './rpc-errors.ts';

export interface EventFilter {
  passes(event: Logged): boolean;
  /** Events considered, matching or not, between two checkpoints. */
  checkpointInterval: number;
}

/** Events considered per batch if the client sets no window. */
const DEFAULT_WINDOW = 32;

/** Filters stream names or event types by prefix or regular expression. @throws RpcError for an empty filter */
export function eventFilter(options: streams.ReadReq.Options.FilterOptions): EventFilter {
  const byStream = options.getStreamIdentifier();
  const expression = byStream ?? options.getEventType();
  if (!expression) throw rpcErrors.invalid('a filter by neither stream nor type');
  const multiplier = options.getCheckpointintervalmultiplier();
  if (multiplier === 0) throw rpcErrors.invalid('a checkpoint interval of zero');
  const regex = expression.getRegex() === '' ? null : new RegExp(expression.getRegex());
  const prefixes = expression.getPrefixList();
  const matches = (text: string) =>
    regex ? regex.test(text) : prefixes.some((prefix) => text.startsWith(prefix));
  return {
    passes: (event) => matches(byStream ? event.stream : event.type),
    checkpointInterval: multiplier * (options.hasMax() ? options.getMax() : DEFAULT_WINDOW),
  };
}
