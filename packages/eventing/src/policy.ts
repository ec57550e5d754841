import { setTimeout as sleep } from 'node:timers/promises';
import { readOnce } from './checked-event.ts';
import { BEGINNING, type Position, type RecordedEvent } from './event.ts';
import type { EventCatalogue } from './event-catalogue.ts';
import type { EventStore } from './event-store.ts';
import { KeyedQueue } from './keyed-queue.ts';
import type { Lease } from './lease.ts';
import type { Log } from './log-sink.ts';
import { Signal } from './signal.ts';

/** A policy acts for the actor of a deletion that decides all that goes with it, else for the system: docs/feed.md. */
export type ActsAs = 'actor' | 'system';

/**
 * Reacts to events with a command, a mail or a call. Runs at least once per event, in log order, after the projections,
 * so it must be idempotent. Failures are retried and block only this policy, or only their lane of it.
 */
export interface Policy {
  /** Part of the checkpoint's name, `policy:<name>`. */
  name: string;
  handles: readonly string[];
  actsAs: Readonly<Record<string, ActsAs>>;
  /** Lanes react at the same time, and after a stop again to all that followed the oldest unfinished event. */
  laneOf?(event: RecordedEvent): string;
  /** `signal` aborts at a stop. Later errors are ignored, since the next start reacts again. */
  react(event: RecordedEvent, signal: AbortSignal): Promise<void>;
  outlasting?: OutlastingWork;
}

/** Work that reactions begin. After a stop, events react again from the oldest one whose work was unfinished. */
export interface OutlastingWork {
  /** Called with the lease in hand, before the first reaction; `moved` is to be called when `unfinished` changes. */
  begin(position: Position, moved: () => void): Promise<void>;
  /** The position before the oldest such event. */
  unfinished(): Position | undefined;
  end(): Promise<void>;
}

export interface PolicyStatus {
  policy: string;
  position: Position;
  failing: { position: Position; attempts: number; error: Error } | null;
}

export const policyCheckpoint = (name: string): string => `policy:${name}`;

const SAVE_IDLE_EVERY = 1000;
/** Positions after reactions are saved so often at most: one that is lost repeats its reaction. */
const SAVE_EVERY_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
const MOST_UNDER_WAY = 256;

export class PolicyRunner {
  readonly status: PolicyStatus;
  readonly #policy: Policy;
  readonly #handled: ReadonlySet<string>;
  readonly #ports: PolicyPorts;
  readonly #moved = new Signal();
  readonly #lanes = new KeyedQueue();
  /** Unfinished reactions in log order: position → the one before it. */
  readonly #underWay = new Map<Position, Position>();
  readonly #failing = new Map<Position, NonNullable<PolicyStatus['failing']>>();
  readonly #tasks = new Set<Promise<void>>();
  #read: Position = BEGINNING;
  #saved: Position = BEGINNING;
  #saving: Promise<void> = Promise.resolve();
  #unsaved = 0;
  #nextSave: NodeJS.Timeout | undefined;

  constructor(policy: Policy, ports: PolicyPorts) {
    this.#policy = policy;
    this.#handled = new Set(policy.handles);
    this.#ports = ports;
    this.status = { policy: policy.name, position: BEGINNING, failing: null };
  }

  async run(signal: AbortSignal): Promise<void> {
    const { lease } = this.#ports;
    const { position, held } = await lease.acquire(signal);
    this.#saved = position;
    this.status.position = position;
    const head = await this.#ports.store.head();
    if (position > head) {
      // A log restored from a backup reuses lost positions for other events, which need their reactions.
      const fields = { policy: this.#policy.name, position, head };
      this.#ports.log.error(fields, 'the log ends before the position of a policy, which goes on at its end');
      this.status.position = head;
    }
    this.#read = this.status.position;
    const { outlasting } = this.#policy;
    try {
      await outlasting?.begin(this.#read, () => {
        this.#advanceTo(this.#read);
        this.#moved.raise();
        this.#saveSoon(held);
      });
      await this.#follow(held);
    } finally {
      await Promise.all(this.#tasks);
      await outlasting?.end();
      this.#advanceTo(this.#read);
      if (!held.aborted || signal.aborted) await this.#save(held);
      this.#forget();
      await lease.release().catch(() => {});
    }
  }

  /** Another holder of the lease may do what is unfinished here. */
  #forget(): void {
    clearTimeout(this.#nextSave);
    this.#nextSave = undefined;
    this.#underWay.clear();
    this.#failing.clear();
    this.status.failing = null;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { store } = this.#ports;
    for await (const batch of store.subscribe({ after: this.status.position, signal })) {
      let passed: Position | undefined;
      for (const event of batch) {
        if (signal.aborted) break;
        if (!this.#handled.has(event.type)) {
          passed = event.position;
          continue;
        }
        if (passed !== undefined) this.#advanceTo(passed);
        passed = undefined;
        await this.#ports.caughtUp(event.position, signal);
        const reacted = this.#begin(event, signal);
        if (!this.#policy.laneOf) await reacted;
        else while (this.#underWay.size >= MOST_UNDER_WAY && !signal.aborted) await this.#change(signal);
      }
      if (passed !== undefined) this.#advanceTo(passed);
      this.#moved.raise();
      this.#unsaved += batch.length;
      if (this.#unsaved >= SAVE_IDLE_EVERY) await this.#save(signal);
    }
    await Promise.all(this.#tasks);
    await this.#save(signal);
  }

  /** Saves at once, unless a save is recent: then as soon as it no longer is. */
  #saveSoon(signal: AbortSignal): void {
    if (this.#nextSave) return;
    void this.#save(signal);
    this.#nextSave = setTimeout(() => {
      this.#nextSave = undefined;
      if (this.status.position !== this.#saved) this.#saveSoon(signal);
    }, SAVE_EVERY_MS).unref();
  }

  #begin(event: RecordedEvent, signal: AbortSignal): Promise<void> {
    const { position } = event;
    const read = () => readOnce(this.#ports.catalogue, event);
    this.#underWay.set(position, this.#read);
    this.#advanceTo(position);
    const task = this.#lanes
      .run(this.#laneOf(read), async () => {
        if (!(await this.#reactUntilDone(read, position, signal))) return;
        this.#underWay.delete(position);
        this.#advanceTo(this.#read);
        this.#moved.raise();
        this.#saveSoon(signal);
      })
      .finally(() => this.#tasks.delete(task));
    this.#tasks.add(task);
    return task;
  }

  #laneOf(read: () => RecordedEvent): string {
    const { laneOf } = this.#policy;
    if (!laneOf) return '';
    try {
      return laneOf(read());
    } catch {
      return '';
    }
  }

  /** The position of a policy is that before its oldest unfinished reaction. */
  #advanceTo(read: Position): void {
    this.#read = read;
    const [unfinished] = this.#underWay.values();
    const outlasting = this.#policy.outlasting?.unfinished();
    const isDone = unfinished === undefined && outlasting === undefined;
    this.status.position = isDone
      ? read
      : ([read, unfinished ?? read, outlasting ?? read].toSorted()[0] as Position);
  }

  async #change(signal: AbortSignal): Promise<void> {
    await this.#moved.raised(this.#moved.count, signal);
  }

  async reached(position: Position, signal: AbortSignal): Promise<void> {
    while (this.status.position < position && !signal.aborted) {
      const seen = this.#moved.count;
      if (this.status.position < position) await this.#moved.raised(seen, signal);
    }
  }

  async #reactUntilDone(
    read: () => RecordedEvent,
    position: Position,
    signal: AbortSignal,
  ): Promise<boolean> {
    for (let attempts = 1; !signal.aborted; attempts++) {
      try {
        await this.#policy.react(read(), signal);
        this.#fail(position, undefined);
        return true;
      } catch (cause) {
        if (signal.aborted) return false;
        const error = cause instanceof Error ? cause : new Error(String(cause));
        this.#fail(position, { position, attempts, error });
        this.#ports.log.error(
          { policy: this.#policy.name, position, attempts, err: error },
          'policy failed; tried again later',
        );
        const pause = Math.min(this.#ports.firstPauseMs * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
        await sleep(pause, undefined, { signal }).catch(() => {});
      }
    }
    return false;
  }

  #fail(position: Position, failing: PolicyStatus['failing'] | undefined): void {
    if (failing) this.#failing.set(position, failing);
    else this.#failing.delete(position);
    const [oldest] = this.#failing.values();
    this.status.failing = oldest ?? null;
  }

  #save(signal: AbortSignal): Promise<void> {
    // No older position may follow a newer one.
    this.#saving = this.#saving.then(() => this.#saveNow(signal));
    return this.#saving;
  }

  /** An unsaved position costs at most a repeated reaction, so only log the failure. */
  async #saveNow(signal: AbortSignal): Promise<void> {
    if (this.status.position === this.#saved) return;
    const { position } = this.status;
    try {
      await this.#ports.lease.save(position);
      this.#saved = position;
      this.#unsaved = 0;
    } catch (error) {
      if (!signal.aborted)
        this.#ports.log.error({ policy: this.#policy.name, position, err: error }, 'checkpoint not saved');
    }
  }
}

export interface PolicyPorts {
  store: EventStore;
  lease: Lease;
  catalogue: EventCatalogue;
  log: Log;
  caughtUp: (position: Position, signal: AbortSignal) => Promise<void>;
  firstPauseMs: number;
}
