import { setTimeout as sleep } from 'node:timers/promises';
import type { Metadata } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';
import type { Fault, Faults, Operation } from './faults.ts';
import type { Log } from './log.ts';
import { type RpcError, rpcErrors } from './rpc-errors.ts';

export interface Wire {
  log: Log;
  faults: Faults;
  /** The most bytes per append. */
  maxAppendSize: number;
  /** Breaks the connection of a call. */
  drop(peer: string): void;
}

interface Call {
  metadata: Metadata;
  getPeer(): string;
}

/** The connection was broken on purpose, so no answer is sent. */
export class Dropped extends Error {}

/** Applies a fault that strikes before the operation. @throws RpcError, Dropped */
export async function admit(wire: Wire, operation: Operation, call: Call): Promise<Fault | undefined> {
  const fault = wire.faults.take(operation);
  if (fault?.kind === 'delay') await sleep(fault.ms);
  if (fault?.kind === 'refuse') throw fault.error;
  if (fault?.kind === 'drop-before') drop(wire, call);
  const { leader } = wire.faults;
  if (leader && call.metadata.get('requires-leader')[0] === 'true')
    throw rpcErrors.notLeader(leader.host, leader.port);
  return fault;
}

/** Applies a fault that strikes after the operation. Never resolves if no answer may be sent. */
export async function beforeAnswer(wire: Wire, fault: Fault | undefined, call: Call): Promise<void> {
  if (fault?.kind === 'drop-after') drop(wire, call);
  if (fault?.kind === 'no-answer') await new Promise<never>(() => {});
}

export function drop(wire: Wire, call: Call): never {
  wire.drop(call.getPeer());
  throw new Dropped();
}

/** The error for a failed handler; null if its connection is gone. */
export function answerTo(error: unknown): RpcError | null {
  if (error instanceof Dropped) return null;
  if (typeof error === 'object' && error !== null && 'code' in error && 'details' in error)
    return error as RpcError;
  return { ...rpcErrors.invalid(String(error)), code: status.UNKNOWN };
}
