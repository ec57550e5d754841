import { statfsSync } from 'node:fs';

export interface DiskState {
  freeBytes: number;
  sizeBytes: number;
  /** Whether less is free than what read models and stops still need. */
  isFull: boolean;
}

export interface DiskRoom {
  /** Cheap enough for each append. */
  look(): DiskState;
}

export interface DiskRoomOptions {
  folder: string;
  /** Called when the disk became full, and when it has room again. */
  changed(state: DiskState): void;
  read?: (folder: string) => { bavail: number; bsize: number; blocks: number };
}

/** What stays free on a large disk, and the part of a small one. */
const RESERVE_BYTES = 64 * 1024 * 1024;
const RESERVE_SHARE = 0.03;
const FRESH_MS = 100;
const UNKNOWN: DiskState = { freeBytes: Number.NaN, sizeBytes: Number.NaN, isFull: false };

export function createDiskRoom({ folder, changed, read = statfsSync }: DiskRoomOptions): DiskRoom {
  let state = UNKNOWN;
  let seenAt = Number.NEGATIVE_INFINITY;

  function measure(): DiskState {
    try {
      const { bavail, bsize, blocks } = read(folder);
      const [freeBytes, sizeBytes] = [bavail * bsize, blocks * bsize];
      return { freeBytes, sizeBytes, isFull: freeBytes < Math.min(RESERVE_BYTES, sizeBytes * RESERVE_SHARE) };
    } catch {
      return UNKNOWN;
    }
  }

  return {
    look() {
      const now = performance.now();
      if (now - seenAt < FRESH_MS) return state;
      seenAt = now;
      const before = state.isFull;
      state = measure();
      if (state.isFull !== before) changed(state);
      return state;
    },
  };
}
