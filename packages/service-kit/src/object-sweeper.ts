import type { ObjectKey, ObjectStore } from '@forgelog/object-store/object-store.ts';
import type { Logger } from './log.ts';
import type { Worker } from './slice.ts';
import { createSweeper } from './sweeper.ts';

interface SweepPorts {
  objects: ObjectStore;
  clock: () => Date;
}

/** Longer than an upload takes with the append after it, and than read models are ever behind. */
const GRACE_MS = 24 * 3_600_000;
const FIRST_SWEEP_MS = 10 * 60_000;
const SWEEP_EVERY_MS = 6 * 3_600_000;

/** Removes what begins so, is more than a day old and is not kept, and parts of uploads that never ended. */
export async function removeUnnamed(
  { objects, clock }: SweepPorts,
  prefix: string,
  isKept: (key: ObjectKey) => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(clock().getTime() - GRACE_MS);
  await objects.clearUnfinished(before);
  for await (const { key, modifiedAt } of objects.list(prefix)) {
    signal?.throwIfAborted();
    if (modifiedAt < before && !(await isKept(key))) await objects.delete(key);
  }
}

export function createObjectSweeper(
  ports: Pick<SweepPorts, 'clock'> & { log: Pick<Logger, 'error'> },
  what: string,
  sweep: (signal: AbortSignal) => Promise<void>,
): Worker {
  let next = ports.clock().getTime() + FIRST_SWEEP_MS;
  return createSweeper(ports, what, async (signal) => {
    if (ports.clock().getTime() < next) return;
    await sweep(signal);
    next = ports.clock().getTime() + SWEEP_EVERY_MS;
  });
}
