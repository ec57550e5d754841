import type { Position, RecordedEvent } from '@forgelog/eventing/event.ts';
import type { FollowedLog } from '@forgelog/eventing/expiring-stream.ts';
import type { KnownIdentity } from '@forgelog/eventing/log-identity.ts';
import type { EventFilter } from './event-filter.ts';
import { followLog, type LogPart } from './followed-log.ts';
import type { LogEnd, WaitingReader } from './log-end.ts';
import type { Reach } from './reach.ts';
import type { ReaderOutput } from './reader.ts';
import type { Seat } from './subscribers.ts';
import { waitingFor } from './waiting-for.ts';

export interface Subscription {
  after: Position;
  filter: EventFilter;
  reach: Reach;
  /** The most events to send. */
  limit: number;
}

export interface StreamPorts {
  store: FollowedLog;
  identity: KnownIdentity;
  clock: () => Date;
  onSent?: ((events: readonly RecordedEvent[]) => void) | undefined;
  heartbeatMs: number;
}

/** Characters after which text is handed out, so that large events do not add up in memory. */
const CHUNK = 65_536;

/** Milliseconds in which more would have come, if there was more. */
const MARK_MS = 200;
const OVER = ': the stream ends at `until`\n\n';
const NO_RIGHT = ': the stream ends, since whoever asked for it may no longer read it\n\n';

/**
 * Sends what passes, then waits for the log until the limit, a time or a right ends. Each `id` is a position. While it
 * waits it holds nothing but its fields: there may be thousands of them.
 */
export class ServerSentEvents implements WaitingReader {
  readonly #ports: StreamPorts;
  readonly #logEnd: LogEnd;
  readonly #filter: EventFilter;
  readonly #reach: Reach;
  readonly #seat: Seat;
  readonly #output: ReaderOutput;
  #left: number;
  #hasCaughtUp = false;
  #quietSince = 0;
  #isOver = false;
  /** Ends its own reading of the log. */
  #alone: AbortController | undefined;

  constructor(
    ports: StreamPorts,
    logEnd: LogEnd,
    { filter, reach, limit }: Subscription,
    seat: Seat,
    output: ReaderOutput,
  ) {
    this.#ports = ports;
    this.#logEnd = logEnd;
    this.#filter = filter;
    this.#reach = reach;
    this.#seat = seat;
    this.#output = output;
    this.#left = limit;
  }

  get position(): Position {
    return this.#seat.position;
  }

  get dueAt(): number {
    const heartbeat = this.#quietSince + this.#ports.heartbeatMs;
    const { until } = this.#filter;
    if (until === null) return heartbeat;
    return Math.min(heartbeat, performance.now() + Date.parse(until) - this.#ports.clock().getTime());
  }

  begin(): void {
    void this.#goOnAfter(async () => {
      await this.#send(': Forgelog event stream\n\n');
      await this.#markIfCaughtUp();
      if (this.#hasCaughtUp) await this.#look();
      else await this.#readToEnd();
    });
  }

  take(part: LogPart): void {
    void this.#goOnAfter(() => this.#sendPart(part));
  }

  due(): void {
    void this.#goOnAfter(() => this.#look());
  }

  readAlone(): void {
    void this.#goOnAfter(() => this.#readToEnd());
  }

  /** Ends it at once, or after what it sends now. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#alone?.abort();
    this.#seat.leave();
    if (this.#logEnd.leave(this)) this.#output.end();
  }

  /** Ends it, since its reader takes nothing. */
  drop(): void {
    this.end();
    this.#output.drop();
  }

  async #goOnAfter(step: () => Promise<void>): Promise<void> {
    try {
      await step();
      while (!this.#isOver && !this.#logEnd.wait(this)) await this.#readToEnd();
      if (this.#isOver) this.#output.end();
    } catch (error) {
      this.end();
      this.#output.end(error as Error);
    }
  }

  async #readToEnd(): Promise<void> {
    const { store, heartbeatMs } = this.#ports;
    const alone = new AbortController();
    this.#alone = alone;
    if (this.#isOver) alone.abort();
    const reading = { after: this.position, projectId: this.#filter.projectId, signal: alone.signal };
    const parts = followLog(store, reading);
    try {
      let nextWithin = waitingFor(parts.next());
      while (!this.#isOver) {
        const untilHeartbeat = this.#quietSince + heartbeatMs - performance.now();
        const next = await nextWithin(Math.min(untilHeartbeat, MARK_MS));
        if (next?.done) return this.end();
        if (next) {
          await this.#sendPart(next.value);
          nextWithin = waitingFor(parts.next());
          continue;
        }
        await this.#look();
        if (this.#hasCaughtUp && this.position >= (await store.head())) return;
      }
    } finally {
      // The wait for the next event ends first, or the end would wait for it.
      alone.abort();
      this.#alone = undefined;
      await parts.return(undefined);
    }
  }

  /** Without events: whether the right and the time still hold, and signs of life. */
  async #look(): Promise<void> {
    if (!(await this.#reach.holdsAt(this.position))) return this.#endWith(NO_RIGHT);
    // A full part may have been the last one.
    await this.#markIfCaughtUp();
    const { until } = this.#filter;
    if (this.#hasCaughtUp && until !== null && this.#ports.clock().toISOString() >= until)
      return this.#endWith(OVER);
    await this.#sendAliveIfQuiet();
  }

  async #sendPart({ events, upTo, mayBeLast }: LogPart): Promise<void> {
    const reach = this.#reach;
    // Drop the whole part in which access ends, so nothing after that event is sent.
    if (!(await reach.holdsAt(upTo))) return this.#endWith(NO_RIGHT);
    const log = await this.#ports.identity.forBatch(events);
    const sent = (await reach.readable(await this.#filter.select(events))).slice(0, this.#left);
    let text = '';
    for (const event of sent) {
      const { id, json } = reach.frame(event, log);
      text += `id: ${id}\nevent: ${event.type}\ndata: ${json}\n\n`;
      if (text.length < CHUNK) continue;
      await this.#send(text);
      text = '';
    }
    if (text !== '') await this.#send(text);
    if (this.#isOver) return;
    this.#ports.onSent?.(sent);
    this.#left -= sent.length;
    this.#seat.position = this.#left === 0 ? sent.at(-1)!.position : upTo;
    if (this.#left === 0) return this.end();
    if (events.length > 0 && this.#filter.endsBefore(events.at(-1)!)) return this.#endWith(OVER);
    if (mayBeLast) await this.#markIfCaughtUp();
    // A reader whose filter passes over much shall not start from the beginning after a break.
    await this.#sendAliveIfQuiet();
  }

  async #published(): Promise<string> {
    return this.#reach.publish(this.position, await this.#ports.identity.current());
  }

  async #send(text: string): Promise<void> {
    this.#quietSince = performance.now();
    await this.#output.write(text);
  }

  async #endWith(text: string): Promise<void> {
    await this.#send(text);
    this.end();
  }

  async #markIfCaughtUp(): Promise<void> {
    if (this.#hasCaughtUp || this.position < (await this.#ports.store.head())) return;
    this.#hasCaughtUp = true;
    const position = await this.#published();
    await this.#send(`id: ${position}\nevent: caught_up\ndata: ${JSON.stringify({ position })}\n\n`);
  }

  async #sendAliveIfQuiet(): Promise<void> {
    if (performance.now() - this.#quietSince < this.#ports.heartbeatMs) return;
    await this.#send(`: alive\nid: ${await this.#published()}\n\n`);
  }
}
