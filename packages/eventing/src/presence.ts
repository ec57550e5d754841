import { setTimeout as sleep } from 'node:timers/promises';
import type { Registers } from './registers.ts';

/** The sign of life of one replica, which all its leases share, and what it knows of the others' signs. */
export interface Presence {
  readonly holder: string;
  readonly beatMs: number;
  readonly patienceMs: number;
  /** Begins to show signs of life; the last `leave` ends it. */
  enter(): void;
  leave(): void;
  /** Resolves while the others can see this replica; the signal aborts before they may take it for gone. */
  alive(signal: AbortSignal): Promise<AbortSignal>;
  /** Milliseconds for which this replica has seen no new sign of life of a holder, up to its last look. */
  silentMs(holder: string): number;
}

/** Numbers that grow while their holders live. */
type Signs = Readonly<Record<string, number>>;

/** Times the patience. */
const FORGOTTEN_AFTER = 10;
const ATTEMPTS = 10;

/** One register holds the signs of all replicas. Clocks are never compared: ADR 64. */
export function createPresence(options: {
  name: string;
  registers: Registers;
  holder: string;
  patienceMs: number;
}): Presence {
  const { name, registers, holder, patienceMs } = options;
  const beatMs = patienceMs / 5;
  const seen = new Map<string, { sign: number | null; since: number }>();
  let looked = performance.now();
  let entered = 0;
  let sign = 0;
  let leaving = new AbortController();
  let living: Promise<void> = Promise.resolve();
  /** Absent until the others can see this replica. */
  let life: AbortController | undefined;
  let born = Promise.withResolvers<AbortController>();

  function look(signs: Signs, asked: number): void {
    looked = asked;
    for (const [other, found] of Object.entries(signs))
      if (seen.get(other)?.sign !== found) seen.set(other, { sign: found, since: performance.now() });
  }

  /** Counts to the last look, so that nobody seems silent while this replica is paused or cut off. */
  function silentMs(other: string): number {
    const { since } = seen.get(other) ?? { since: looked };
    if (!seen.has(other)) seen.set(other, { sign: null, since });
    return Math.max(0, looked - since);
  }

  function kept(signs: Signs): Signs {
    const longest = FORGOTTEN_AFTER * patienceMs;
    return Object.fromEntries(Object.entries(signs).filter(([other]) => silentMs(other) < longest));
  }

  async function show(): Promise<void> {
    for (let attempts = 1; ; attempts += 1) {
      const asked = performance.now();
      const found = await registers.read(name);
      const signs = found ? (JSON.parse(found.value) as Signs) : {};
      look(signs, asked);
      sign += 1;
      const value = JSON.stringify({ ...kept(signs), [holder]: sign });
      if (await registers.write(name, found?.version ?? 0, value)) return;
      if (attempts === ATTEMPTS) throw new Error(`${name} changes too often`);
    }
  }

  function giveUp(): void {
    life?.abort();
    life = undefined;
  }

  async function live(signal: AbortSignal): Promise<void> {
    let deadline = 0;
    while (!signal.aborted) {
      const begun = performance.now();
      const waitMs = life ? Math.max(0, deadline - begun) : patienceMs;
      const late = sleep(waitMs, false, { signal }).catch(() => false);
      const isShown = show().then(
        () => true,
        () => false,
      );
      if (await Promise.race([isShown, late])) {
        deadline = begun + patienceMs - 2 * beatMs;
        if (!life && performance.now() < deadline) {
          life = new AbortController();
          born.resolve(life);
          born = Promise.withResolvers();
        }
      }
      if (performance.now() >= deadline) giveUp();
      // Signs are written one after the other.
      await isShown;
      await sleep(beatMs, undefined, { signal }).catch(() => {});
    }
    giveUp();
  }

  return {
    holder,
    beatMs,
    patienceMs,
    enter() {
      entered += 1;
      if (entered > 1) return;
      leaving = new AbortController();
      const { signal } = leaving;
      // The end of the life before would end this one.
      living = living.then(() => live(signal));
    },
    leave() {
      entered -= 1;
      if (entered === 0) leaving.abort();
    },
    async alive(signal) {
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      const abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      try {
        signal.throwIfAborted();
        return (life ?? (await Promise.race([born.promise, aborted]))).signal;
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    silentMs,
  };
}
