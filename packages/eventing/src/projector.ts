import { setTimeout as sleep } from 'node:timers/promises';
import { BEGINNING, type Position, type RecordedEvent } from './event.ts';
import type { EventCatalogue } from './event-catalogue.ts';
import type { EventStore } from './event-store.ts';
import { type Leases, localLease } from './lease.ts';
import type { Log } from './log-sink.ts';
import { createParts } from './parts.ts';
import { type Policy, PolicyRunner, type PolicyStatus, policyCheckpoint } from './policy.ts';
import { PositionWaiters } from './position-waiters.ts';
import type { Projection, ProjectorStatus } from './projection.ts';
import { checkNames } from './projection-names.ts';
import { ProjectionRunner, type RunningProjection } from './projection-runner.ts';
import type { ReadStore } from './read-store.ts';

export interface Projectors {
  /**
   * Catches up with the log and then follows it. Projections with new or changed collections restart. May be retried.
   * @throws EventStoreUnavailableError, ReadStoreUnavailableError
   */
  start(): Promise<void>;
  /** Resolves once `position` is applied, except by halted projections. @throws ProjectionLagError */
  caughtUp(position: Position, options?: { timeoutMs?: number }): Promise<void>;
  /** Waits until the log is applied to its end, and returns that position. @throws ProjectionLagError */
  barrier(options?: { timeoutMs?: number }): Position | Promise<Position>;
  position(): Position;
  /** Null until it is known where the log ends. */
  progress(): Progress | null;
  status(): ProjectorStatus[];
  policies(): PolicyStatus[];
  onHalt(listener: (status: ProjectorStatus) => void): void;
  /** Resolves once policies handled everything, including the events they appended; false on time-out. */
  policiesIdle(options?: { timeoutMs?: number }): Promise<boolean>;
  /** Ends after the batch in progress. A policy ends after the reaction in progress, or is aborted. */
  stop(): Promise<void>;
}

export interface Progress {
  position: Position;
  /** The end of the log when the start began. */
  head: Position;
  events: number;
}

export interface ProjectorsOptions {
  store: EventStore;
  readStore: ReadStore;
  catalogue: EventCatalogue;
  projections: readonly Projection[];
  policies?: readonly Policy[];
  /** Elects the process that runs each policy. By default this process runs all of them. */
  leases?: Leases;
  log: Log;
  batchSize?: number;
  /** Default time-out of `caughtUp` and `barrier`, in milliseconds. */
  timeoutMs?: number;
  /** Milliseconds before a policy's first retry, doubled for each further one. */
  policyPauseMs?: number;
  /** Milliseconds of grace for running reactions at a stop. */
  reactionMs?: number;
}

const PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const REACTION_MS = 2_000;
const TELL_MS = 5_000;

export function createProjectors(options: ProjectorsOptions): Projectors {
  const { store, readStore, catalogue, projections, log } = options;
  const timeout = options.timeoutMs ?? 5_000;
  const ending = new AbortController();
  const { signal } = ending;
  const endingPolicies = new AbortController();
  const waiters = new PositionWaiters();
  const haltListeners: ((status: ProjectorStatus) => void)[] = [];
  const runner = new ProjectionRunner(projections.map(standing), { readStore, catalogue, onHalt });
  const leaseOf: Leases = options.leases ?? ((name) => localLease(name, readStore));
  const policyRunners = (options.policies ?? []).map(
    (policy) =>
      new PolicyRunner(policy, {
        store,
        lease: leaseOf(policyCheckpoint(policy.name)),
        catalogue,
        log,
        caughtUp: untilApplied,
        firstPauseMs: options.policyPauseMs ?? 500,
      }),
  );
  /** The position up to which every running projection applied the log. */
  let applied: Position = BEGINNING;
  let progress: Progress | null = null;
  const parts = createParts({ longest: options.batchSize });
  let following: Promise<unknown> = Promise.resolve();
  let reacting: Promise<unknown> = Promise.resolve();
  let started: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;
  checkNames(projections, options.policies ?? []);

  function onHalt({ projection, halted }: RunningProjection): void {
    const fields = { projection: projection.name, position: halted?.position, err: halted?.error };
    log.error(fields, 'projection halted; its read models stand still until the next start');
    for (const listener of haltListeners) listener(statusOf(projection.name));
  }

  const statuses = (): ProjectorStatus[] =>
    runner.running.map(({ projection, position, halted }) => ({
      projection: projection.name,
      position,
      halted,
    }));
  const statusOf = (name: string) =>
    statuses().find(({ projection }) => projection === name) as ProjectorStatus;

  async function prepare(): Promise<void> {
    const { reset } = await readStore.declare(projections.flatMap((projection) => projection.collections));
    const head = await store.head();
    for (const running of runner.running) {
      const { name, collections } = running.projection;
      const saved = await readStore.checkpoint(name);
      const ahead = saved > head;
      if (ahead || collections.some((collection) => reset.includes(collection.name))) {
        if (saved !== BEGINNING || head !== BEGINNING)
          log.info({ projection: name, position: saved, head, ahead }, 'read models start anew');
        await readStore.reset(collections, [name]);
      }
      running.saved = await readStore.checkpoint(name);
      running.position = running.saved;
    }
    const positions = runner.running.map(({ position }) => position);
    applied = [head, ...positions].toSorted()[0] as Position;
  }

  function advance(position: Position, events: number): void {
    applied = position;
    if (progress) progress = { ...progress, position, events: progress.events + events };
    waiters.reached(position);
  }

  async function follow(): Promise<void> {
    for (let pause = PAUSE_MS; !signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        for await (const batch of store.subscribe({
          after: applied,
          maxBatch: options.batchSize ?? 1000,
          signal,
        })) {
          await parts.each(batch, async (part) => {
            if (signal.aborted) return;
            await runner.apply(part);
            advance((part.at(-1) as RecordedEvent).position, part.length);
          });
          pause = PAUSE_MS;
          if (signal.aborted) return;
        }
      } catch (error) {
        log.error({ position: applied, err: error }, 'projecting failed; tried again later');
      }
      // A subscription that ends without an error, as one of a closed store does, must not be renewed without pause.
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }

  async function followPolicy(policy: PolicyRunner): Promise<void> {
    const { signal } = endingPolicies;
    while (!signal.aborted) {
      try {
        await policy.run(signal);
        await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
      } catch (error) {
        if (signal.aborted) return;
        log.error({ policy: policy.status.policy, err: error }, 'policy lost the log; tried again later');
        await sleep(LONGEST_PAUSE_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  async function untilApplied(position: Position, abort: AbortSignal): Promise<void> {
    while (applied < position && !abort.aborted) await waiters.wait(position, 1_000).catch(() => {});
  }

  function caughtUp(position: Position, { timeoutMs = timeout } = {}): Promise<void> {
    return position <= applied ? DONE : waiters.wait(position, timeoutMs);
  }

  async function reached(
    end: Position | Promise<Position>,
    given?: { timeoutMs?: number },
  ): Promise<Position> {
    const head = await end;
    await caughtUp(head, given);
    return head;
  }

  async function begin(): Promise<void> {
    await prepare();
    const head = await store.head();
    progress = { position: applied, head, events: 0 };
    following = follow();
    reacting = Promise.all(policyRunners.map(followPolicy));
    const telling = setInterval(() => log.info({ ...progress }, 'reading the event log'), TELL_MS);
    await untilApplied(head, signal).finally(() => clearInterval(telling));
  }

  return {
    start: () =>
      (started ??= begin().catch((error: unknown) => {
        started = undefined;
        throw error;
      })),
    caughtUp,
    barrier(given) {
      const head = store.head();
      return typeof head === 'string' && head <= applied ? head : reached(head, given);
    },
    position: () => applied,
    progress: () => progress,
    status: statuses,
    policies: () => policyRunners.map((policy) => policy.status),
    onHalt: (listener) => void haltListeners.push(listener),
    async policiesIdle({ timeoutMs = 10_000 } = {}) {
      const patience = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      for (let head = await store.head(); !patience.aborted; ) {
        await Promise.all(policyRunners.map((policy) => policy.reached(head, patience)));
        const now = await store.head();
        if (now === head) return !patience.aborted;
        head = now;
      }
      return false;
    },
    stop: () => (stopping ??= end()),
  };

  async function end(): Promise<void> {
    endingPolicies.abort();
    // A running reaction may wait for its own append to be applied, so stop the projections last.
    await within(options.reactionMs ?? REACTION_MS, reacting);
    ending.abort();
    waiters.end();
    await Promise.all([following, reacting]);
    await runner.saveIdle().catch((error) => log.error({ err: error }, 'positions not saved'));
  }
}

const DONE = Promise.resolve();

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const patience = new AbortController();
  const late = sleep(ms, undefined, { signal: patience.signal }).catch(() => {});
  await Promise.race([work, late]);
  patience.abort();
}

function standing(projection: Projection): RunningProjection {
  const handles = new Set(projection.handles);
  return { projection, handles, position: BEGINNING, saved: BEGINNING, halted: null };
}
