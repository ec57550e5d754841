import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import { EventStoreUnavailableError } from '../../event-store.ts';
import { failureOf } from './server-errors.ts';

export interface ConnectionOptions {
  /** A connection string: `esdb://user:password@host:2113?tls=true`, `esdb+discover://…` for a cluster. */
  url: string;
  /** How long a single call may take; what the connection string says with `defaultDeadline`, else 5 s. */
  deadlineMs?: number;
  /** How long a call is repeated that fails for reasons that pass (a lost connection, an election): as long again. */
  patienceMs?: number;
}

export interface Connection {
  client: EventStoreDBClient;
  deadlineMs: number;
  patienceMs: number;
  /** Aborts when the store closes. */
  closed: AbortSignal;
  close(): Promise<void>;
}

const DEADLINE_MS = 5_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;
const CLOSE_PATIENCE_MS = 1_000;

/** What the client hides from its users, and this adapter cannot do without. */
interface ClientInternals {
  supports(method: unknown): Promise<boolean>;
  getChannel(): Promise<{ close(): void }>;
}

/** @throws Error for a connection string that is none */
export function connect({
  url,
  deadlineMs = statedDeadline(url) ?? DEADLINE_MS,
  patienceMs = statedDeadline(url) ?? DEADLINE_MS,
}: ConnectionOptions): Connection {
  const client = EventStoreDBClient.connectionString(url);
  const internals = client as unknown as ClientInternals;
  // The client would send all appends through one call and match the answers in a table that all clients of the
  // process share: a broken call rejects the appends of the others, whose answers then throw where nobody catches,
  // and an answer that never comes is waited for forever. One call an append has a deadline and an outcome of its own.
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

/** Milliseconds; undefined where it says none. A nonsensical one the client refuses. */
function statedDeadline(url: string): number | undefined {
  const stated = /[?&]defaultDeadline=(\d+)/i.exec(url)?.[1];
  return stated === undefined ? undefined : Number(stated);
}

/** Ending calls and channels is not waited for where it hangs: an address may still be looked up. */
async function soon(ending: Promise<void>): Promise<void> {
  const patience = new AbortController();
  const late = sleep(CLOSE_PATIENCE_MS, undefined, { signal: patience.signal });
  await Promise.race([ending, late]).catch(() => {});
  late.catch(() => {});
  patience.abort();
}

/** Pauses between tries: short at first, then longer. */
export function* pauses(): Generator<number, never> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) yield pause;
}

/**
 * Repeats an operation without effects while it fails for reasons that pass.
 * @throws EventStoreUnavailableError when patience is over, or at once where another try is of no use
 */
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
  throw new Error('pauses never end');
}

export const closedError = (): EventStoreUnavailableError =>
  new EventStoreUnavailableError('the event store is closed');

export function unavailable(cause: unknown): EventStoreUnavailableError {
  const failure = failureOf(cause);
  const reason = 'reason' in failure ? failure.reason : (cause as Error).message;
  return new EventStoreUnavailableError(`EventStoreDB cannot be used now: ${reason}`, { cause });
}
