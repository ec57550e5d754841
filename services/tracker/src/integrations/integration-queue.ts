import type { Position, RecordedEvent } from '@forgelog/eventing/event.ts';

export interface Queued {
  event: RecordedEvent;
  /** The position before its event, where a stop now would lose it. */
  after: Position;
  attempts: number;
  /** Its parts that need no further attempt, and whether each arrived. */
  done: Map<string, boolean>;
}

/** What became of telling an integration of an event: `later` after so many milliseconds. */
export type Told = { kind: 'done' } | { kind: 'later'; ms: number };

export interface IntegrationQueuePorts {
  tell(integrationId: number, queued: Queued): Promise<Told>;
  failed(error: unknown): void;
  moved(): void;
  now(): number;
}

interface Lane {
  waiting: Queued[];
  notBefore: number;
  isTelling: boolean;
}

/** What is behind by more than this is of no use to those who read it. */
export const MOST_WAITING = 200;
const AT_ONCE = 200;
const AGAIN_MS = 5_000;

/** The events that integrations have still to tell of: in order for each, and none waits for another. */
export class IntegrationQueue {
  readonly #ports: IntegrationQueuePorts;
  readonly #lanes = new Map<number, Lane>();
  readonly #underWay = new Set<Promise<void>>();
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(ports: IntegrationQueuePorts) {
    this.#ports = ports;
  }

  get unfinished(): Position | undefined {
    let oldest: Position | undefined;
    for (const { waiting } of this.#lanes.values())
      if (waiting[0] && (oldest === undefined || waiting[0].after < oldest)) oldest = waiting[0].after;
    return oldest;
  }

  /** Returns false, and keeps nothing, where too many wait. */
  add(integrationId: number, event: RecordedEvent, after: Position): boolean {
    if (this.#stopped) return true;
    const lane = this.#lanes.get(integrationId) ?? { waiting: [], notBefore: 0, isTelling: false };
    if (lane.waiting.length >= MOST_WAITING) return false;
    lane.waiting.push({ event, after, attempts: 0, done: new Map() });
    this.#lanes.set(integrationId, lane);
    this.#advance();
    return true;
  }

  /** There is nothing more to be told. */
  forget(integrationId: number): void {
    const lane = this.#lanes.get(integrationId);
    if (lane) lane.waiting.length = 0;
    this.#lanes.delete(integrationId);
  }

  halt(): Promise<unknown> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    return Promise.allSettled([...this.#underWay]);
  }

  #advance(): void {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    const now = this.#ports.now();
    let next = Number.POSITIVE_INFINITY;
    for (const [id, lane] of this.#lanes) {
      if (this.#underWay.size >= AT_ONCE) return;
      if (lane.isTelling) continue;
      if (lane.notBefore <= now) this.#begin(id, lane);
      else next = Math.min(next, lane.notBefore);
    }
    if (next === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => this.#advance(), Math.max(5, next - now));
    this.#timer.unref();
  }

  #begin(id: number, lane: Lane): void {
    lane.isTelling = true;
    const telling = this.#tell(id, lane).finally(() => {
      this.#underWay.delete(telling);
      this.#advance();
    });
    this.#underWay.add(telling);
  }

  async #tell(id: number, lane: Lane): Promise<void> {
    const [queued] = lane.waiting;
    let told: Told = { kind: 'done' };
    try {
      if (queued) told = await this.#ports.tell(id, queued);
    } catch (error) {
      if (!this.#stopped) this.#ports.failed(error);
      told = { kind: 'later', ms: AGAIN_MS };
    }
    lane.isTelling = false;
    if (told.kind === 'later') lane.notBefore = this.#ports.now() + told.ms;
    else if (lane.waiting[0] === queued) lane.waiting.shift();
    if (lane.waiting.length === 0 && this.#lanes.get(id) === lane) this.#lanes.delete(id);
    this.#ports.moved();
  }
}
