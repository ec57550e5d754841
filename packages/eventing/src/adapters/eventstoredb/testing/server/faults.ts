import type { RpcError } from './rpc-errors.ts';

/** Calls that can be made to fail. */
export type Operation = 'append' | 'batch-append' | 'read' | 'subscribe' | 'gossip';

/** What goes wrong with one call. */
export type Fault =
  /** The connection breaks before anything happened. */
  | { kind: 'drop-before' }
  /** The work is done and the connection breaks before the answer. */
  | { kind: 'drop-after' }
  /** The work is done and the answer never comes. */
  | { kind: 'no-answer' }
  /** Nothing happens for a while, then all is well. */
  | { kind: 'delay'; ms: number }
  | { kind: 'refuse'; error: RpcError }
  /** After so many messages of a read or a subscription the connection breaks, or the call ends by an error. */
  | { kind: 'drop-after-messages'; messages: number; error?: RpcError };

/** Switches by which tests make the server fail. */
export interface Faults {
  /** The next `times` calls of this kind meet the fault; several faults of one kind are met in turn. */
  next(operation: Operation, fault: Fault, times?: number): void;
  /** The fault that a call meets, if any. */
  take(operation: Operation): Fault | undefined;
  /** Another node leads while set: what requires the leader is sent there. */
  leader: { host: string; port: number } | null;
  /** How many calls of each kind came in. */
  calls: Record<Operation, number>;
  /** How many messages subscriptions and reads sent. */
  messages: number;
  /** Positions of the log after which subscriptions began, null for its beginning. */
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
