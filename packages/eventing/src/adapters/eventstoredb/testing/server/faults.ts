import type { RpcError } from './rpc-errors.ts';

export type Operation = 'append' | 'batch-append' | 'read' | 'subscribe' | 'gossip';

export type Fault =
  /** The connection breaks before the operation. */
  | { kind: 'drop-before' }
  /** The connection breaks after the operation, before the answer. */
  | { kind: 'drop-after' }
  /** The operation succeeds and no answer comes. */
  | { kind: 'no-answer' }
  /** The operation is delayed by `ms`, then succeeds. */
  | { kind: 'delay'; ms: number }
  | { kind: 'refuse'; error: RpcError }
  /** A read or subscription breaks, or fails with `error`, after this many messages. */
  | { kind: 'drop-after-messages'; messages: number; error?: RpcError };

/** Makes the server fail, for tests. */
export interface Faults {
  /** The next `times` calls of this operation meet the fault. Several faults are queued. */
  next(operation: Operation, fault: Fault, times?: number): void;
  /** Takes the fault for a call. */
  take(operation: Operation): Fault | undefined;
  /** While set, calls that require the leader are redirected to it. */
  leader: { host: string; port: number } | null;
  /** The number of calls per operation. */
  calls: Record<Operation, number>;
  /** The number of messages sent by reads and subscriptions. */
  messages: number;
  /** Start positions of subscriptions, null for the beginning. */
  subscribedAfter: (bigint | null)[];
}

export function createFaults(): Faults {
  const waiting = new Map<Operation, Fault[]>();
  const calls = { append: 0, 'batch-append': 0, read: 0, subscribe: 0, gossip: 0 };
  return {
    leader: null,
    calls,
    messages: 0,
    subscribedAfter: [],
    next(operation, fault, times = 1) {
      const faults = waiting.get(operation) ?? [];
      for (let i = 0; i < times; i++) faults.push(fault);
      waiting.set(operation, faults);
    },
    take(operation) {
      calls[operation]++;
      return waiting.get(operation)?.shift();
    },
  };
}
