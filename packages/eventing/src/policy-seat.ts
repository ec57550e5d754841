import { setTimeout as sleep } from 'node:timers/promises';
import { BEGINNING, type Position } from './event.ts';
import type { ReadStore } from './read-store.ts';
import type { Register, Registers } from './registers.ts';

/**
 * Where the position of a policy or a feed is kept, and whose turn it is: with several replicas one works, the others
 * wait for it to leave or to fall silent.
 */
export interface PolicySeat {
  /**
   * Resolves when it is this process's turn; `held` aborts when it no longer is. Rejects when `signal` aborts.
   * @param onSeen told, while somebody else has it, how far that one says it is
   */
  take(
    signal: AbortSignal,
    onSeen?: (position: Position) => void,
  ): Promise<{ position: Position; held: AbortSignal }>;
  /** @throws Error where the position could not be kept */
  save(position: Position): Promise<void>;
  /** A position that may be lost: kept with the next sign of life, or when the seat is left. */
  note(position: Position): void;
  /** Lets the next one in at once. */
  leave(): Promise<void>;
}

/** Makes the seat of what `name` names: a policy's checkpoint, or a feed's. */
export type PolicySeats = (name: string) => PolicySeat;

/** The seat of a process that has no replica: it is always its turn. */
export function onlySeat(name: string, readStore: ReadStore): PolicySeat {
  let noted: Position | null = null;
  async function save(position: Position): Promise<void> {
    await readStore.write({ changes: [], checkpoints: new Map([[name, position]]) });
    noted = null;
  }
  return {
    take: async (signal) => ({ position: await readStore.checkpoint(name), held: signal }),
    save,
    note(position) {
      noted = position;
    },
    leave: async () => {
      if (noted !== null) await save(noted);
    },
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
  let position = BEGINNING;
  let lost = new AbortController();
  /** Writes of one holder come one after the other, or they would refuse each other. */
  let writing: Promise<unknown> = Promise.resolve();

  async function replace(sitting: Sitting): Promise<boolean> {
    if (!(await registers.write(name, version, JSON.stringify(sitting)))) return false;
    version += 1;
    return true;
  }

  /** An own write whose answer was lost looks like somebody else's. */
  async function replaceOwn(sitting: Sitting): Promise<boolean> {
    if (await replace(sitting)) return true;
    const found = await registers.read(name);
    if (!found || read(found).holder !== holder) return false;
    ({ version } = found);
    return replace(sitting);
  }

  /** @throws Error and gives the seat up where somebody else has taken it */
  function hold(by: string | null): Promise<void> {
    const written = writing.then(async () => {
      if (lost.signal.aborted) throw new Error(`the seat of ${name} is lost`);
      if (await replaceOwn({ holder: by, position })) return;
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
      const kept = hold(holder).then(
        () => true,
        () => false,
      );
      if (await Promise.race([kept, late])) deadline = begun + patienceMs - 2 * beatMs;
      else if (performance.now() >= deadline) lost.abort();
    }
  }

  return {
    async take(signal, onSeen) {
      let silentSince = performance.now();
      for (version = -1; ; await sleep(beatMs, undefined, { signal })) {
        signal.throwIfAborted();
        const found = await registers.read(name);
        if ((found?.version ?? 0) !== version) {
          version = found?.version ?? 0;
          silentSince = performance.now();
        }
        const sitting = found ? read(found) : NOBODY;
        ({ position } = sitting);
        if (sitting.holder !== null) {
          onSeen?.(position);
          if (performance.now() - silentSince < patienceMs) continue;
        }
        if (await replace({ holder, position })) break;
      }
      lost = new AbortController();
      void beat(signal);
      return { position, held: AbortSignal.any([signal, lost.signal]) };
    },
    save(reached) {
      position = reached;
      return hold(holder);
    },
    note(reached) {
      position = reached;
    },
    async leave() {
      if (lost.signal.aborted) return;
      await hold(null);
      lost.abort();
    },
  };
}
