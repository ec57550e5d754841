import type { Position, RecordedEvent } from '@forgelog/eventing/event.ts';
import type { WebHookRow } from './web-hooks.projection.ts';

/** What became of telling a hook of one event: `later` after so many milliseconds. */
export type Told = { kind: 'done' } | { kind: 'later'; ms: number };

export interface HookRunPorts {
  /** Tells the receiver of one event. @param attempt from 1 on */
  tell(run: HookRun, entry: Entry): Promise<Told>;
  /** Reads events for the hook after a position, up to where live events begin. */
  readAfter(row: WebHookRow, after: Position): Promise<{ events: RecordedEvent[]; readTo: Position }>;
  /** Where live events begin: the last position that was handed out. */
  liveFrom(): Position;
  /** Makes it durable that the hook goes on by itself from this position on, or that it has caught up. */
  leaveBehind(run: HookRun, position: Position): Promise<void>;
  noteCaughtUp(run: HookRun, position: Position): Promise<void>;
  failed(error: unknown): void;
  moved(): void;
  now(): number;
}

export interface Entry {
  event: RecordedEvent;
  /** Messages of the event that were told of already. */
  part: number;
  attempts: number;
  since: number;
  notBefore: number;
  /** One that is done stays until all before it are. */
  state: 'waiting' | 'telling' | 'done';
}

/** As many events of a hook are kept in memory; of more it reads the log. */
const MOST_ENTRIES = 100;
const FEW_ENTRIES = 20;
/** Subjects that a receiver is told of at the same time. */
const LANES = 4;
const PATIENCE_MS = 30_000;
const AGAIN_MS = 5_000;
const BEGIN_AFTER_MS = 20;

/** The events that one hook has still to be told of: one after the other for a subject, some subjects at a time. */
export class HookRun {
  row: WebHookRow;
  readonly #ports: HookRunPorts;
  #entries: Entry[] = [];
  /** While it is there, live events are left to be read from the log after it. */
  #missedAfter: Position | undefined;
  /** Up to here everything has been told. */
  #position: Position;
  #behind: boolean;
  #marking = false;
  #reading = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  #beginning: NodeJS.Timeout | undefined;
  failures: number;

  constructor(row: WebHookRow, ports: HookRunPorts) {
    this.row = row;
    this.#ports = ports;
    this.#position = row.position;
    this.#behind = row.behind;
    this.failures = row.failures;
    if (row.behind) this.#missedAfter = row.position;
  }

  /** The position before its oldest event, where a stop now would lose it. */
  get unfinished(): Position | undefined {
    if (this.#behind) return undefined;
    if (this.#entries.length > 0 || this.#missedAfter !== undefined) return this.#position;
    return undefined;
  }

  get isIdle(): boolean {
    return !this.#behind && !this.#marking && this.#entries.length === 0 && this.#missedAfter === undefined;
  }

  /** Whether it is about to know if there is anything to be told of. */
  get isSettling(): boolean {
    return this.#reading || this.#marking || (this.#behind && this.#entries.length === 0);
  }

  /** Up to where everything will have been told once this entry is; null where older ones are left. */
  positionAfter(entry: Entry): Position | null {
    const at = this.#entries.indexOf(entry);
    if (at < 0 || this.#entries.slice(0, at).some(({ state }) => state !== 'done')) return null;
    const next = this.#entries.findIndex((other, index) => index > at && other.state !== 'done');
    return this.#entries.at(next < 0 ? -1 : next - 1)!.event.position;
  }

  start(): void {
    this.#advance();
  }

  /** Begins nothing more; `unfinished` goes on telling what was not done. */
  halt(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#beginning);
  }

  /** There is nothing more to be told. */
  end(): void {
    this.halt();
    this.#entries = [];
    this.#missedAfter = undefined;
  }

  /** A live event. Those that it has been told of are passed over. */
  add(event: RecordedEvent): void {
    if (this.#missedAfter !== undefined || event.position <= this.#position) return;
    if (this.#entries.length >= MOST_ENTRIES) {
      this.#missedAfter = this.#entries.at(-1)!.event.position;
      return;
    }
    this.#push(event);
    this.#beginSoon();
  }

  /** Begins again after a position; what is under way ends without effect on where it stands. */
  rewind(position: Position): void {
    this.#entries = [];
    this.#position = position;
    this.#missedAfter = position;
    this.#behind = true;
    this.#ports.moved();
    this.#advance();
  }

  /** The request that caused an event is answered before its hooks are told. */
  #beginSoon(): void {
    this.#beginning ??= setTimeout(() => {
      this.#beginning = undefined;
      this.#advance();
    }, BEGIN_AFTER_MS).unref();
  }

  #push(event: RecordedEvent): void {
    const now = this.#ports.now();
    this.#entries.push({ event, part: 0, attempts: 0, since: now, notBefore: 0, state: 'waiting' });
  }

  #advance(): void {
    if (this.#stopped) return;
    this.#tellSome();
    if (this.#missedAfter !== undefined && this.#entries.length < FEW_ENTRIES) void this.#readMore();
    this.#mark();
    this.#wake();
  }

  #tellSome(): void {
    const now = this.#ports.now();
    const busy = new Set<string>();
    let telling = this.#entries.filter(({ state }) => state === 'telling').length;
    for (const entry of this.#entries) {
      if (telling >= LANES) return;
      if (entry.state === 'done') continue;
      const { stream } = entry.event;
      // A subject is told of in order: one that waits holds up what follows.
      if (!busy.has(stream) && entry.state === 'waiting' && entry.notBefore <= now) {
        telling += 1;
        void this.#tell(entry);
      }
      busy.add(stream);
    }
  }

  async #tell(entry: Entry): Promise<void> {
    entry.state = 'telling';
    let told: Told;
    try {
      told = await this.#ports.tell(this, entry);
    } catch (error) {
      if (!this.#stopped) this.#ports.failed(error);
      told = { kind: 'later', ms: AGAIN_MS };
    }
    entry.state = told.kind === 'done' ? 'done' : 'waiting';
    if (told.kind === 'later') entry.notBefore = this.#ports.now() + told.ms;
    else if (this.#entries.includes(entry)) {
      while (this.#entries[0]?.state === 'done') this.#position = this.#entries.shift()!.event.position;
      this.#ports.moved();
    }
    this.#advance();
  }

  async #readMore(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    const after = this.#missedAfter!;
    try {
      const { events, readTo } = await this.#ports.readAfter(this.row, after);
      // A rewind in between begins elsewhere.
      if (this.#missedAfter === after && !this.#stopped) {
        for (const event of events) this.#push(event);
        this.#missedAfter = readTo >= this.#ports.liveFrom() ? undefined : readTo;
        if (this.#entries.length === 0 && readTo > this.#position) this.#position = readTo;
        this.#ports.moved();
      }
    } catch (error) {
      this.#ports.failed(error);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS).unref());
    } finally {
      this.#reading = false;
    }
    this.#advance();
  }

  /** A hook that is slow, or has failed once, must not hold up where all others begin after a stop. */
  #mark(): void {
    if (this.#marking) return;
    const oldest = this.#entries[0];
    const hasFailed = this.#entries.some(({ notBefore }) => notBefore > 0);
    if (this.#behind && !oldest && this.#missedAfter === undefined) {
      // From here on live events count again, before it is durable.
      this.#behind = false;
      const position = this.#ports.liveFrom();
      if (position > this.#position) this.#position = position;
      this.#markBy(this.#ports.noteCaughtUp(this, this.#position));
    } else if (
      !this.#behind &&
      (this.#missedAfter !== undefined || hasFailed || (oldest && this.#age(oldest) >= PATIENCE_MS))
    ) {
      this.#markBy(
        this.#ports.leaveBehind(this, this.#position).then(() => {
          this.#behind = true;
          this.#ports.moved();
        }),
      );
    }
  }

  #markBy(work: Promise<void>): void {
    this.#marking = true;
    work
      .catch((error: unknown) => this.#ports.failed(error))
      .finally(() => {
        this.#marking = false;
        if (!this.#stopped) setTimeout(() => this.#advance(), 0);
      });
  }

  #age({ since }: Entry): number {
    return this.#ports.now() - since;
  }

  /** Wakes when the next entry may be told of, or has waited for so long that the hook is behind. */
  #wake(): void {
    clearTimeout(this.#timer);
    if (this.#entries.length === 0) return;
    const now = this.#ports.now();
    const times = this.#entries
      .filter(({ state, notBefore }) => state === 'waiting' && notBefore > now)
      .map(({ notBefore }) => notBefore);
    if (!this.#behind) times.push(this.#entries[0]!.since + PATIENCE_MS);
    if (times.length === 0) return;
    this.#timer = setTimeout(() => this.#advance(), Math.max(10, Math.min(...times) - now));
    this.#timer.unref();
  }
}
