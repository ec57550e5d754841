import { setImmediate } from 'node:timers/promises';
import type { Position, RecordedEvent } from '@forgelog/eventing/event.ts';
import type { FollowedLog } from '@forgelog/eventing/expiring-stream.ts';

/** A part of the log; it leaves out only events of other projects. */
export interface LogPart {
  events: readonly RecordedEvent[];
  /** How far it goes. */
  upTo: Position;
  /** Whether it may be the last part that there is now. */
  mayBeLast: boolean;
}

interface Reading {
  after: Position;
  /** Read this project's events by the store's index, if it has one. */
  projectId: number | undefined;
}

export const PART = 250;

/** The log as it is now, to its end. */
export async function* readLog(store: FollowedLog, { after, projectId }: Reading): AsyncGenerator<LogPart> {
  const end = await store.head();
  let upTo = after;
  while (upTo < end) {
    const events =
      projectId !== undefined && store.readProject
        ? await store.readProject({ projectId, after: upTo, upTo: end, limit: PART })
        : await store.readAll({ after: upTo, limit: PART });
    const mayBeLast = events.length < PART;
    upTo = mayBeLast ? end : events.at(-1)!.position;
    yield { events, upTo, mayBeLast };
    // A store in this process answers without a pause for other requests.
    await setImmediate();
  }
}

/** The log as it is now, and then as it grows. */
export async function* followLog(
  store: FollowedLog,
  { signal, ...reading }: Reading & { signal: AbortSignal },
): AsyncGenerator<LogPart> {
  let { after } = reading;
  if (reading.projectId !== undefined && store.readProject)
    for await (const part of readLog(store, reading)) {
      if (signal.aborted) return;
      after = part.upTo;
      yield part;
    }
  for await (const events of store.subscribe({ after, maxBatch: PART, signal }))
    yield { events, upTo: events.at(-1)!.position, mayBeLast: events.length < PART };
}
