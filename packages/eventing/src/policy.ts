import { setTimeout as sleep } from 'node:timers/promises';
import { BEGINNING, type Position, type RecordedEvent } from './event.ts';
import type { EventCatalogue } from './event-catalogue.ts';
import type { EventStore } from './event-store.ts';
import type { Lease } from './lease.ts';
import type { Log } from './log-sink.ts';
import { Signal } from './signal.ts';

/** A policy acts for the actor of a deletion that decides all that goes with it, else for the system: docs/feed.md. */
export type ActsAs = 'actor' | 'system';

/**
 * Reacts to events with a command, a mail or a call. Runs at least once per event, in log order, after the projections,
 * so it must be idempotent. Failures are retried and block only this policy.
 */
export interface Policy {
  /** Part of the checkpoint's name, `policy:<name>`. */
  name: string;
  handles: readonly string[];
  actsAs: Readonly<Record<string, ActsAs>>;
  /** `signal` aborts at a stop. Later errors are ignored, since the next start reacts again. */
  react(event: RecordedEvent, signal: AbortSignal): Promise<void>;
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

export class PolicyRunner {
  readonly status: PolicyStatus;
  readonly #policy: Policy;
  readonly #ports: PolicyPorts;
  readonly #moved = new Signal();
  #saved: Position = BEGINNING;
  #unsaved = 0;
  #saving: Promise<void> = Promise.resolve();
  #nextSave: NodeJS.Timeout | undefined;

  constructor(policy: Policy, ports: PolicyPorts) {
    this.#policy = policy;
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
    try {
      await this.#follow(held);
    } finally {
      await lease.release().catch(() => {});
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { store, catalogue } = this.#ports;
    for await (const batch of store.subscribe({ after: this.status.position, signal })) {
      for (const event of batch) {
        if (signal.aborted) break;
        if (this.#policy.handles.includes(event.type)) {
          await this.#ports.caughtUp(event.position, signal);
          if (!(await this.#reactUntilDone(() => catalogue.read(event), event.position, signal))) break;
          this.status.position = event.position;
          this.#saveSoon(signal);
        } else this.status.position = event.position;
      }
      this.#moved.raise();
      this.#unsaved += batch.length;
      if (this.#unsaved >= SAVE_IDLE_EVERY) await this.#save(signal);
    }
    clearTimeout(this.#nextSave);
    this.#nextSave = undefined;
    await this.#saving;
    await this.#save(signal);
  }

  /** Saves at once, unless a save is recent: then as soon as it no longer is. */
  #saveSoon(signal: AbortSignal): void {
    if (this.#nextSave) return;
    this.#saving = this.#saving.then(() => this.#save(signal));
    this.#nextSave = setTimeout(() => {
      this.#nextSave = undefined;
      if (this.status.position !== this.#saved) this.#saveSoon(signal);
    }, SAVE_EVERY_MS).unref();
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
        this.status.failing = null;
        return true;
      } catch (cause) {
        if (signal.aborted) return false;
        const error = cause instanceof Error ? cause : new Error(String(cause));
        this.status.failing = { position, attempts, error };
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

  /** An unsaved position costs at most a repeated reaction, so only log the failure. */
  async #save(signal: AbortSignal): Promise<void> {
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
