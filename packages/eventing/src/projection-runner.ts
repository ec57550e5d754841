import { readOnce } from './checked-event.ts';
import { BEGINNING, type Position, type RecordedEvent } from './event.ts';
import type { EventCatalogue } from './event-catalogue.ts';
import type { Projection } from './projection.ts';
import { ProjectionBatch } from './projection-batch.ts';
import {
  type Change,
  type ReadStore,
  ReadStoreUnavailableError,
  UniqueViolationError,
} from './read-store.ts';

export interface RunningProjection {
  projection: Projection;
  handles: ReadonlySet<string>;
  position: Position;
  /** The stored checkpoint. It lags while no handled event arrives. */
  saved: Position;
  halted: { position: Position; error: Error } | null;
}

interface Outcome {
  running: RunningProjection;
  changes: Change[];
  applied: RecordedEvent[];
  position: Position;
  halted: RunningProjection['halted'];
}

/** Idle projections save their checkpoint every so many batches. */
const SAVE_IDLE_EVERY = 50;

/** Applies batches, with one write for all projections. A failing event halts only its projection. */
export class ProjectionRunner {
  readonly running: RunningProjection[];
  readonly #readStore: ReadStore;
  readonly #catalogue: EventCatalogue;
  readonly #onHalt: (running: RunningProjection) => void;
  readonly #handled: ReadonlySet<string>;
  #batches = 0;
  /** A failed write that may have taken effect. */
  #unknown: { outcomes: readonly Outcome[]; checkpoints: ReadonlyMap<string, Position> } | null = null;

  constructor(
    running: RunningProjection[],
    ports: { readStore: ReadStore; catalogue: EventCatalogue; onHalt: (running: RunningProjection) => void },
  ) {
    this.running = running;
    this.#readStore = ports.readStore;
    this.#catalogue = ports.catalogue;
    this.#onHalt = ports.onHalt;
    this.#handled = new Set(running.flatMap(({ handles }) => [...handles]));
  }

  /** Applies nothing if it throws. @throws read store errors that no projection caused */
  async apply(events: readonly RecordedEvent[]): Promise<void> {
    await this.#learnOutcome();
    if (!events.some(({ type }) => this.#handled.has(type))) return this.#pass(events);
    const outcomes: Outcome[] = [];
    for (const running of this.running)
      if (!running.halted) outcomes.push(await this.#project(running, events));
    try {
      await this.#write(outcomes);
    } catch (error) {
      if (!(error instanceof UniqueViolationError)) throw error;
      // Some projection's documents conflict. Apply each alone to find which, and at which event.
      for (const outcome of outcomes) await this.#applyAlone(outcome, events);
    }
  }

  async #pass(events: readonly RecordedEvent[]): Promise<void> {
    const position = events.at(-1)?.position ?? BEGINNING;
    for (const running of this.running)
      if (!running.halted && position > running.position) running.position = position;
    if (++this.#batches % SAVE_IDLE_EVERY === 0) await this.saveIdle();
  }

  /** Saves the checkpoints of idle projections, so that a restart need not read those events again. */
  async saveIdle(): Promise<void> {
    const idle = this.running.filter((running) => running.position > running.saved);
    if (idle.length === 0) return;
    const checkpoints = new Map(idle.map(({ projection, position }) => [projection.name, position]));
    await this.#readStore.write({ changes: [], checkpoints });
    for (const running of idle) running.saved = running.position;
  }

  async #project(running: RunningProjection, events: readonly RecordedEvent[]): Promise<Outcome> {
    const { projection, handles } = running;
    const applied: RecordedEvent[] = [];
    let batch: ProjectionBatch | undefined;
    let { position } = running;
    let halted: RunningProjection['halted'] = null;
    for (const event of events) {
      if (event.position <= running.position) continue;
      if (handles.has(event.type)) {
        batch ??= new ProjectionBatch(projection, this.#readStore);
        batch.begin(event.position);
        try {
          const current = readOnce(this.#catalogue, event);
          await projection.project(current, batch.documents);
          applied.push(current);
        } catch (error) {
          if (error instanceof ReadStoreUnavailableError) throw error;
          batch.rollback();
          halted = { position: event.position, error: asError(error) };
          break;
        }
      }
      position = event.position;
    }
    return { running, changes: batch?.changes() ?? [], applied, position, halted };
  }

  async #write(outcomes: readonly Outcome[]): Promise<void> {
    const saveIdle = ++this.#batches % SAVE_IDLE_EVERY === 0;
    const changes: Change[] = [];
    const checkpoints = new Map<string, Position>();
    for (const outcome of outcomes) {
      for (const change of outcome.changes) changes.push(change);
      const due = outcome.applied.length > 0 || outcome.halted || saveIdle;
      if (due && outcome.position > outcome.running.saved)
        checkpoints.set(outcome.running.projection.name, outcome.position);
    }
    if (changes.length > 0 || checkpoints.size > 0) {
      try {
        await this.#readStore.write({ changes, checkpoints });
      } catch (error) {
        if (!(error instanceof UniqueViolationError)) this.#unknown = { outcomes, checkpoints };
        throw error;
      }
    }
    this.#written(outcomes, checkpoints);
  }

  /** After a failed write, a stored checkpoint shows that it took effect; its events must not be applied twice. */
  async #learnOutcome(): Promise<void> {
    if (!this.#unknown) return;
    const { outcomes, checkpoints } = this.#unknown;
    const [first] = checkpoints;
    const happened = first && (await this.#readStore.checkpoint(first[0])) >= first[1];
    this.#unknown = null;
    if (happened) this.#written(outcomes, checkpoints);
  }

  #written(outcomes: readonly Outcome[], checkpoints: ReadonlyMap<string, Position>): void {
    for (const { running, position, halted, applied } of outcomes) {
      running.position = position;
      running.saved = checkpoints.get(running.projection.name) ?? running.saved;
      if (halted) this.#halt(running, halted);
      if (applied.length > 0) this.#announce(running, applied);
    }
  }

  async #applyAlone(outcome: Outcome, events: readonly RecordedEvent[]): Promise<void> {
    const { running } = outcome;
    try {
      await this.#write([outcome]);
      return;
    } catch (error) {
      if (!(error instanceof UniqueViolationError)) throw error;
    }
    for (const event of events) {
      if (running.halted) return;
      try {
        await this.#write([await this.#project(running, [event])]);
      } catch (error) {
        if (!(error instanceof UniqueViolationError)) throw error;
        this.#halt(running, { position: event.position, error });
      }
    }
  }

  #halt(running: RunningProjection, halted: NonNullable<RunningProjection['halted']>): void {
    running.halted = halted;
    this.#onHalt(running);
  }

  #announce(running: RunningProjection, applied: RecordedEvent[]): void {
    try {
      running.projection.applied?.(applied);
    } catch (error) {
      // The documents are written but a cache may be stale, which only a restart surely clears.
      this.#halt(running, { position: applied[0]?.position ?? running.position, error: asError(error) });
    }
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
