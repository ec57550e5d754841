import { createParser } from 'eventsource-parser';
import type { PublishedEvent } from './published-event.ts';
import { Refusal } from './refusal.ts';
import { type RestApi, refused } from './rest-api.ts';

/** Events in the order of the log. */
export interface Batch {
  events: PublishedEvent[];
  /** Whether the server has said that nothing follows yet. */
  hasCaughtUp: boolean;
}

/** A transaction has about so many events where they come fast. */
const FULL = 1_000;
/** Milliseconds in which further events join a transaction. */
const LINGER_MS = 25;
/** The server sends a heartbeat every 15 s. */
const SILENT_MS = 60_000;
/** Characters; no event is larger than 10 MB. */
const LARGEST = 12_000_000;

/** Follows the stream after a position, until it ends or `signal` aborts. Holds about one transaction in memory. */
export async function* readEvents(
  api: RestApi,
  after: string | null,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const silence = new AbortController();
  const watch = setTimeout(() => silence.abort(new Error('the stream was silent for a minute')), SILENT_MS);
  try {
    const query = new URLSearchParams(after === null ? {} : { after });
    const answer = await fetch(`${api.server}/api/v4/event_stream?${query}`, {
      headers: { ...api.headers, Accept: 'text/event-stream' },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!answer.ok) throw await streamRefused(answer);
    let batch: Batch = { events: [], hasCaughtUp: false };
    const parser = createParser({
      maxBufferSize: LARGEST,
      onEvent({ event, data }) {
        if (event === 'caught_up') batch.hasCaughtUp = true;
        else batch.events.push(JSON.parse(data) as PublishedEvent);
      },
      // A heartbeat comes where there is nothing else to send.
      onComment(comment) {
        if (comment.trim() === 'alive') batch.hasCaughtUp = true;
      },
      onError(error) {
        if (error.type === 'max-buffer-size-exceeded')
          throw new Refusal(`an event is too large: ${error.message}`);
      },
    });
    const chunks = answer.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    const take = (): Batch => {
      const taken = batch;
      batch = { events: [], hasCaughtUp: false };
      return taken;
    };
    let pending = chunks.next();
    for (;;) {
      const isWaiting = batch.events.length > 0 || batch.hasCaughtUp;
      const next = isWaiting ? await within(pending, LINGER_MS) : await pending;
      if (next === undefined) {
        yield take();
        continue;
      }
      if (next.done) break;
      watch.refresh();
      parser.feed(next.value);
      if (batch.events.length >= FULL) yield take();
      pending = chunks.next();
    }
    yield take();
  } finally {
    clearTimeout(watch);
    silence.abort();
  }
}

/** Undefined on time-out. */
async function within<T>(pending: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([pending, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function streamRefused(answer: Response): Promise<Error> {
  const text = await answer.clone().text();
  if (answer.status === 410)
    return new Refusal(
      `the server was restored from a backup, and lost events that are in the tables: ${text.slice(0, 300)}\nRemove the file and follow again: the tables are filled from the first event.`,
    );
  if (answer.status === 409)
    return new Refusal(
      `the tables were filled from another server, or from a log that is longer than this one: ${text.slice(0, 300)}\nName that server, or another file.`,
    );
  return refused(answer);
}
