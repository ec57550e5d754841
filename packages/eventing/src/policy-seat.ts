import { setTimeout as sleep } from 'node:timers/promises';
import { BEGINNING, type Position } from './event.ts';
import type { ReadStore } from './read-store.ts';
import type { Register, Registers } from './registers.ts';

/**
 * Where a policy's position is kept, and whose turn it is to react: with several replicas one reacts, the others
 * wait for it to leave or to fall silent.
 */
export interface PolicySeat {
  /** Resolves when it is this process's turn; `held` aborts when it no longer is. Rejects when `signal` aborts. */
  take(signal: AbortSignal): Promise<{ position: Position; held: AbortSignal }>;
  /** @throws Error where the position could not be kept */
  save(position: Position): Promise<void>;
  /** Lets the next one in at once. */
  leave(): Promise<void>;
}

/** Makes the seat of what `name` names: the policy's checkpoint. */
export type PolicySeats = (name: string) => PolicySeat;

/** The seat of a process that has no replica: it is always its turn. */
export function onlySeat(name: string, readStore: ReadStore): PolicySeat {
  return {
    take: async (signal) => ({ position: await readStore.checkpoint(name), held: signal }),
    save: (position) => readStore.write({ changes: [], checkpoints: new Map([[name, position]]) }),
    leave: async () => {},
  };
}

interface Sitting {
  holder: string | null;
  position: Position;
}

const NOBODY: Sitting = { holder: null, position: BEGINNING };
const read = ({ value }: Register) => JSON.parse(value) as Sitting;

/** A holder that says nothing for so long is gone. */
const PATIENCE_MS = 15_000;

/**
 * A seat that replicas take in turn, kept in a register. Nobody compares clocks: who waits looks whether the register
 * changes within `patienceMs` of his own time, and who holds it gives up earlier than that by his own. A holder that
 * was paused and wakes finds that its write is refused; what it does until then is safe, since every command names
 * the revision that it expects, and every policy may run twice.
 */
export function sharedSeat(options: {
  name: string;
  registers: Registers;
  /** Differs between replicas, and between two lives of one. */
  holder: string;
  patienceMs?: number;
}): PolicySeat {
  const { name, registers, holder, patienceMs = PATIENCE_MS } = options;
  const beatMs = patienceMs / 5;
  let version = 0;
  let sitting = NOBODY;
  let lost = new AbortController();
  /** Writes of one holder come one after the other, or they would refuse each other. */
  let writing: Promise<unknown> = Promise.resolve();

  async function replace(next: Sitting): Promise<boolean> {
    if (!(await registers.write(name, version, JSON.stringify(next)))) return false;
    version += 1;
    sitting = next;
    return true;
  }

  /** An own write whose answer was lost looks like somebody else's. */
  async function replaceOwn(next: Sitting): Promise<boolean> {
    if (await replace(next)) return true;
    const found = await registers.read(name);
    if (!found || read(found).holder !== holder) return false;
    ({ version } = found);
    return replace(next);
  }

  /** @throws Error and gives the seat up where somebody else has taken it */
  function hold(next: () => Sitting): Promise<void> {
    const written = writing.then(async () => {
      if (lost.signal.aborted) throw new Error(`the seat of ${name} is lost`);
      if (await replaceOwn(next())) return;
      lost.abort();
      throw new Error(`the seat of ${name} was taken by another replica`);
    });
    writing = written.catch(() => {});
    return written;
  }

  async function beat(signal: AbortSignal): Promise<void> {
    let deadline = performance.now() + patienceMs - 2 * beatMs;
    while (!lost.signal.aborted && !signal.aborted) {
      await sleep(beatMs, undefined, { signal }).catch(() => {});
      const begun = performance.now();
      const late = sleep(Math.max(0, deadline - begun), false, { signal }).catch(() => false);
      const kept = hold(() => sitting).then(
        () => true,
        () => false,
      );
      if (await Promise.race([kept, late])) deadline = begun + patienceMs - 2 * beatMs;
      else if (performance.now() >= deadline) lost.abort();
    }
  }

  return {
    async take(signal) {
      let silentSince = performance.now();
      for (version = -1; ; await sleep(beatMs, undefined, { signal })) {
        signal.throwIfAborted();
        const found = await registers.read(name);
        if ((found?.version ?? 0) !== version) {
          version = found?.version ?? 0;
          silentSince = performance.now();
        }
        sitting = found ? read(found) : NOBODY;
        if (sitting.holder !== null && performance.now() - silentSince < patienceMs) continue;
        if (await replace({ ...sitting, holder })) break;
      }
      lost = new AbortController();
      void beat(signal);
      return { position: sitting.position, held: AbortSignal.any([signal, lost.signal]) };
    },
    save: (position) => hold(() => ({ holder, position })),
    async leave() {
      if (lost.signal.aborted) return;
      await hold(() => ({ holder: null, position: sitting.position }));
      lost.abort();
    },
  };
}
