import { Worker } from 'node:worker_threads';
import type { NewEvent, Position, RecordedEvent } from '../../event.ts';
import {
  type AppendResult,
  CorruptLogError,
  type EventStore,
  EventStoreUnavailableError,
  type ExpectedRevision,
} from '../../event-store.ts';
import { ownTurn } from '../../own-turn.ts';
import { Signal } from '../../signal.ts';
import { lockExclusively } from './exclusive-lock.ts';
import { fromPosition, isPosition, toEvent, toPosition } from './log-format.ts';
import { LogReader } from './log-reader.ts';
import type { Answer, Append } from './log-writer.ts';
import { type Pending, refusal, reply, toRaw } from './pending-append.ts';
import { RecentEvents } from './recent-events.ts';
import type { FromWriter, ToWriter, WriterData } from './writer-thread.ts';

export interface SqliteEventStoreOptions {
  path: string;
  /** OFF only to measure the cost of durability: a power loss may then lose acknowledged events. */
  synchronous?: 'FULL' | 'OFF';
  /** Bounds the file, in pages of 4 KB; beyond it appends fail as on a full disk. */
  maxPages?: number;
  /** Appends per sync at most; 1 only to measure the gain of group commit. */
  maxGroup?: number;
}

/** Bounds a transaction, and so the time the first append of a group waits for the last. */
const GROUP = 1000;
const RECENT = 2048;
const NO_LIMIT = 2 ** 31;

/** One file, one process. Appends are on disk when they resolve. @throws AlreadyOpenError, CorruptLogError */
export async function openSqliteEventStore(options: SqliteEventStoreOptions): Promise<EventStore> {
  const { path, synchronous = 'FULL', maxPages, maxGroup = GROUP } = options;
  const lock = lockExclusively(path);
  const workerData: WriterData = { path, synchronous, maxPages, maxGroup, check: lock.lastStop !== 'clean' };
  const writer = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData });
  const pending = new Map<number, Pending>();
  const recent = new RecentEvents(RECENT);
  const appended = new Signal();
  let handed: Append[] = [];
  let requests = 0;
  let head: number;
  /** `head` as text, formatted once per append, because every request reads it. */
  let headText: Position;
  let reader: LogReader;
  let unavailable: string | null = null;
  let ended: ((error: string | null) => void) | undefined;

  try {
    head = await new Promise<number>((resolve, reject) => {
      writer.once('message', (message: FromWriter) => {
        if (message.kind === 'ready') resolve(message.head);
        else if (message.kind === 'refused') reject(refusal(path, message));
      });
      writer.once('error', reject);
    });
    headText = toPosition(head);
    reader = new LogReader(path);
  } catch (error) {
    await writer.terminate();
    lock.release(false);
    throw error;
  }

  writer.on('message', (message: FromWriter) => {
    if (message.kind === 'answers') settle(message.answers, message.head);
    if (message.kind === 'closed') ended?.(message.error);
  });
  writer.on('error', (error) => fail(`the writer of the event log failed: ${error.message}`));
  writer.on('exit', () => fail('the writer of the event log ended'));

  /** Notify subscribers before the callers, so that projecting starts at once. */
  function settle(answers: readonly Answer[], newHead: number): void {
    const stored: RecordedEvent[] = [];
    for (const answer of answers) {
      if (answer.outcome !== 'stored') continue;
      const { stream, events, data } = pending.get(answer.request) as Pending;
      const { firstPosition, firstRevision } = answer;
      for (const [index, event] of events.entries())
        stored.push(toEvent(firstPosition + index, stream, firstRevision + index, event, data[index]));
    }
    recent.push(stored);
    if (newHead > head) {
      head = newHead;
      headText = toPosition(head);
      appended.raise();
    }
    for (const answer of answers) {
      const append = pending.get(answer.request) as Pending;
      pending.delete(answer.request);
      reply(append, answer);
    }
  }

  function fail(message: string): void {
    unavailable ??= message;
    for (const append of pending.values()) append.reject(new EventStoreUnavailableError(message));
    pending.clear();
    ended?.(message);
  }

  /** Sends all appends of one event loop turn in one message: a message costs as much as a small append. */
  function hand(append: Append): void {
    if (handed.push(append) === 1) setImmediate(handOver);
  }

  function handOver(): void {
    if (handed.length === 0) return;
    writer.postMessage({ kind: 'append', appends: handed } satisfies ToWriter);
    handed = [];
  }

  function append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<AppendResult> {
    if (events.length === 0) return Promise.reject(new RangeError('an append needs at least one event'));
    if (unavailable !== null) return Promise.reject(new EventStoreUnavailableError(unavailable));
    const raw = events.map(toRaw);
    const request = ++requests;
    return new Promise((resolve, reject) => {
      const data = events.map((event) => (event.dataJson === undefined ? undefined : event.data));
      pending.set(request, { stream, expected, events: raw, data, resolve, reject });
      hand({ request, stream, expected, events: raw });
    });
  }

  async function readInTurn(last: number, limit: number): Promise<RecordedEvent[] | undefined> {
    await ownTurn();
    return closing === undefined ? reader.readAll(last, limit) : undefined;
  }

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    const alreadyFailed = unavailable !== null;
    unavailable ??= 'the event store is closed';
    const error = alreadyFailed
      ? unavailable
      : await new Promise<string | null>((resolve) => {
          ended = resolve;
          handOver();
          writer.postMessage({ kind: 'close' } satisfies ToWriter);
        });
    appended.raise();
    reader.close();
    await writer.terminate();
    lock.release(error === null);
  }

  return {
    append,

    readStream: async (stream, read) =>
      reader.readStream(stream, read?.fromRevision ?? 0, read?.limit ?? NO_LIMIT),

    readAll: async ({ after, limit }) => reader.readAll(fromPosition(after), limit),

    readProject: async ({ projectId, after, upTo, limit }) =>
      reader.readProject(projectId, fromPosition(after), fromPosition(upTo), limit),

    async *subscribe({ after, maxBatch = 1000, signal }) {
      let last = fromPosition(after);
      while (!signal.aborted && closing === undefined) {
        const seen = appended.count;
        if (last >= head) {
          await appended.raised(seen, signal);
          continue;
        }
        const batch = recent.take(last, maxBatch) ?? (await readInTurn(last, maxBatch));
        if (batch === undefined) return;
        if (batch.length === 0) throw new CorruptLogError(`the log ends at ${last}, not at ${head}`);
        last += batch.length;
        yield batch;
      }
    },

    head: () => headText,

    isPosition,

    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
