import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import { EventStoreUnavailableError } from '../../event-store.ts';
import { failureOf } from './server-errors.ts';

export interface ConnectionOptions {
  url: string;
  /** Milliseconds a single call may take. Default: the connection string's `defaultDeadline`, else 5 s. */
  deadlineMs?: number;
  /** Milliseconds to retry after a transient failure (a lost connection, an election). The same default. */
  patienceMs?: number;
}

export interface Connection {
  client: EventStoreDBClient;
  deadlineMs: number;
  patienceMs: number;
  closed: AbortSignal;
  close(): Promise<void>;
}

const DEADLINE_MS = 5_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;
const CLOSE_PATIENCE_MS = 1_000;

interface ClientInternals {
  supports(method: unknown): Promise<boolean>;
  getChannel(): Promise<{ close(): void }>;
}

/** @throws Error for a malformed connection string */
export function connect({
  url,
  deadlineMs = statedDeadline(url) ?? DEADLINE_MS,
  patienceMs = statedDeadline(url) ?? DEADLINE_MS,
}: ConnectionOptions): Connection {
  const client = EventStoreDBClient.connectionString(url);
  const internals = client as unknown as ClientInternals;
  // Disable batched appends. The client would send all appends through one call and match answers in a table shared by
  // all clients of the process. There a broken call rejects other clients' appends with errors that are never caught,
  // and a lost answer is awaited forever. One call per append has its own deadline and outcome.
  internals.supports = async () => false;
  const closing = new AbortController();
  let used = false;
  return {
    get client() {
      used = true;
      return client;
    },
    deadlineMs,
    patienceMs,
    closed: closing.signal,
    async close() {
      closing.abort();
      if (!used) return;
      await soon(client.dispose());
      await soon(internals.getChannel().then((channel) => channel.close()));
    },
  };
}

function statedDeadline(url: string): number | undefined {
  const stated = /[?&]defaultDeadline=(\d+)/i.exec(url)?.[1];
  return stated === undefined ? undefined : Number(stated);
}

/** Bounds the wait for a shutdown step, which may hang while the client still resolves an address. */
async function soon(ending: Promise<void>): Promise<void> {
  const patience = new AbortController();
  const late = sleep(CLOSE_PATIENCE_MS, undefined, { signal: patience.signal });
  await Promise.race([ending, late]).catch(() => {});
  late.catch(() => {});
  patience.abort();
}

export function* pauses(): Generator<number, never> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) yield pause;
}

/** Retries a read while its failures are transient. @throws EventStoreUnavailableError on time-out */
export async function persist<T>(connection: Connection, operation: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + connection.patienceMs;
  for (const pause of pauses()) {
    try {
      if (connection.closed.aborted) throw closedError();
      return await operation();
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === 'final') throw failure.error;
      if (performance.now() + pause > giveUpAt) throw unavailable(error);
    }
    await sleep(pause);
  }
  throw new Error('unreachable: the pauses between retries never end');
}

export const closedError = (): EventStoreUnavailableError =>
  new EventStoreUnavailableError('the event store is closed');

export function unavailable(cause: unknown): EventStoreUnavailableError {
  const failure = failureOf(cause);
  const reason = 'reason' in failure ? failure.reason : (cause as Error).message;
  return new EventStoreUnavailableError(`EventStoreDB cannot be used now: ${reason}`, { cause });
}
