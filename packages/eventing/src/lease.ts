import type { Position } from './event.ts';
import type { ReadStore } from './read-store.ts';

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
  /** Notes a position that may be lost; it is stored a while later, and by `release`. */
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
