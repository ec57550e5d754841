import { setTimeout as sleep } from 'node:timers/promises';
import { BEGINNING, type Position } from './event.ts';
import type { ReadStore } from './read-store.ts';
import type { Register, Registers } from './registers.ts';

/** Elects the replica that runs a policy or feed, and stores its position. */
export interface Lease {
  /**
   * Resolves when this process holds the lease; `held` aborts when it loses it. Rejects when `signal` aborts.
   * @param onSeen called with the holder's position while another process holds the lease
   */
  acquire(
    signal: AbortSignal,
    onSeen?: (position: Position) => void,
  ): Promise<{ position: Position; held: AbortSignal }>;
  save(position: Position): Promise<void>;
  /** Notes a position that may be lost; the next heartbeat or `release` stores it. */
  note(position: Position): void;
  release(): Promise<void>;
}

export type Leases = (name: string) => Lease;

/** The lease of a process without replicas, which always holds it. */
export function localLease(name: string, readStore: ReadStore): Lease {
  let noted: Position | null = null;
  async function save(position: Position): Promise<void> {
    await readStore.write({ changes: [], checkpoints: new Map([[name, position]]) });
    noted = null;
  }
  return {
    acquire: async (signal) => ({ position: await readStore.checkpoint(name), held: signal }),
    save,
    note(position) {
      noted = position;
    },
    release: async () => {
      if (noted !== null) await save(noted);
    },
  };
}

interface LeaseRecord {
  holder: string | null;
  position: Position;
}

const NOBODY: LeaseRecord = { holder: null, position: BEGINNING };
const read = ({ value }: Register) => JSON.parse(value) as LeaseRecord;

/** Milliseconds of silence after which a holder counts as gone. */
const PATIENCE_MS = 15_000;

/**
 * A lease in a register, taken by one replica at a time. Clocks are never compared: a waiting replica checks for
 * changes within `patienceMs` of its own time, and the holder gives up earlier by its own. A holder that wakes from a
 * pause has its write refused. Its work until then is safe: every command names its expected revision, and every policy
 * may run twice.
 */
export function registerLease(options: {
  name: string;
  registers: Registers;
  /** Unique per replica and start. */
  holder: string;
  patienceMs?: number;
}): Lease {
  const { name, registers, holder, patienceMs = PATIENCE_MS } = options;
  const beatMs = patienceMs / 5;
  let version = 0;
  let position = BEGINNING;
  let lost = new AbortController();
  /** Serialises this holder's writes, which would otherwise conflict. */
  let writing: Promise<unknown> = Promise.resolve();

  async function replace(record: LeaseRecord): Promise<boolean> {
    if (!(await registers.write(name, version, JSON.stringify(record)))) return false;
    version += 1;
    return true;
  }

  /** Retries once after reading: an own write with a lost answer looks like another process's. */
  async function replaceOwn(record: LeaseRecord): Promise<boolean> {
    if (await replace(record)) return true;
    const found = await registers.read(name);
    if (!found || read(found).holder !== holder) return false;
    ({ version } = found);
    return replace(record);
  }

  function hold(by: string | null): Promise<void> {
    const written = writing.then(async () => {
      if (lost.signal.aborted) throw new Error(`the lease of ${name} is lost`);
      if (await replaceOwn({ holder: by, position })) return;
      lost.abort();
      throw new Error(`the lease of ${name} was taken by another replica`);
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
    async acquire(signal, onSeen) {
      let silentSince = performance.now();
      for (version = -1; ; await sleep(beatMs, undefined, { signal })) {
        signal.throwIfAborted();
        const found = await registers.read(name);
        if ((found?.version ?? 0) !== version) {
          version = found?.version ?? 0;
          silentSince = performance.now();
        }
        const record = found ? read(found) : NOBODY;
        ({ position } = record);
        if (record.holder !== null) {
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
    async release() {
      if (lost.signal.aborted) return;
      await hold(null);
      lost.abort();
    },
  };
}
