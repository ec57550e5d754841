import type { Position } from '@forgelog/eventing/event.ts';

/** Things that one user is to be told of in one thread. */
export interface Batch<Entry> {
  userId: number;
  thread: string;
  /** In the order of the log. Those that come while a mail is under way are for the next one. */
  entries: Queued<Entry>[];
  attempts: number;
  notBefore: number;
  isSending: boolean;
}

export interface Queued<Entry> {
  entry: Entry;
  /** The position before its event, where a stop now would lose it. */
  after: Position;
}

/** What became of an attempt: `later` after so many milliseconds, and `pause` for that long all others wait as well. */
export type Attempt = { kind: 'done' } | { kind: 'later' | 'pause'; ms: number };

export interface MailQueuePorts<Entry> {
  /** Tells these entries, which may be fewer than the batch has by then. */
  tell(batch: Batch<Entry>, entries: readonly Queued<Entry>[]): Promise<Attempt>;
  moved(): void;
  now(): number;
}

/** A mail tells of so many things; more are for the next one. */
const MOST_ENTRIES = 50;

/**
 * Gathers what happens in quick succession into one mail for each user and thread, and sends some at a time, the oldest
 * first. One user is told of a thread in order.
 */
export class MailQueue<Entry> {
  readonly #ports: MailQueuePorts<Entry>;
  readonly #delayMs: number;
  readonly #atOnce: number;
  readonly #batches = new Map<string, Batch<Entry>>();
  readonly #underWay = new Set<Promise<void>>();
  #pausedUntil = 0;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(ports: MailQueuePorts<Entry>, { delayMs, atOnce }: { delayMs: number; atOnce: number }) {
    this.#ports = ports;
    this.#delayMs = delayMs;
    this.#atOnce = atOnce;
  }

  /** Mails that are waiting or under way. */
  get size(): number {
    return this.#batches.size;
  }

  get unfinished(): Position | undefined {
    let oldest: Position | undefined;
    for (const { entries } of this.#batches.values())
      if (entries[0] && (oldest === undefined || entries[0].after < oldest)) oldest = entries[0].after;
    return oldest;
  }

  add(userId: number, thread: string, queued: readonly Queued<Entry>[]): void {
    if (this.#stopped) return;
    const key = `${userId} ${thread}`;
    const notBefore = this.#ports.now() + this.#delayMs;
    const batch = this.#batches.get(key) ?? {
      ...{ userId, thread, entries: [], attempts: 0, notBefore, isSending: false },
    };
    batch.entries.push(...queued);
    this.#batches.set(key, batch);
    this.#advance();
  }

  /** Begins nothing more. */
  async stop(ms: number): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    const patience = new Promise((resolve) => setTimeout(resolve, ms).unref());
    await Promise.race([Promise.allSettled([...this.#underWay]), patience]);
  }

  #advance(): void {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    const now = this.#ports.now();
    let next = Number.POSITIVE_INFINITY;
    for (const [key, batch] of this.#batches) {
      if (this.#underWay.size >= this.#atOnce) return;
      if (batch.isSending) continue;
      const from = Math.max(batch.notBefore, this.#pausedUntil);
      if (from <= now) this.#begin(key, batch);
      else next = Math.min(next, from);
    }
    if (next === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => this.#advance(), Math.max(5, next - now));
    this.#timer.unref();
  }

  #begin(key: string, batch: Batch<Entry>): void {
    batch.isSending = true;
    batch.attempts += 1;
    const telling = this.#tell(key, batch).finally(() => {
      this.#underWay.delete(telling);
      this.#advance();
    });
    this.#underWay.add(telling);
  }

  async #tell(key: string, batch: Batch<Entry>): Promise<void> {
    const told = batch.entries.slice(0, MOST_ENTRIES);
    const attempt = await this.#ports.tell(batch, told);
    batch.isSending = false;
    const now = this.#ports.now();
    if (attempt.kind !== 'done') {
      batch.notBefore = now + attempt.ms;
      if (attempt.kind === 'pause') this.#pausedUntil = Math.max(this.#pausedUntil, now + attempt.ms);
      return;
    }
    batch.entries.splice(0, told.length);
    batch.attempts = 0;
    batch.notBefore = now + this.#delayMs;
    if (batch.entries.length === 0) this.#batches.delete(key);
    this.#ports.moved();
  }
}
