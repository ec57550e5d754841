import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DiskRoom } from '../disk-room.ts';
import type { Metrics, Readings } from './metrics.ts';

const FILES: Readonly<Record<string, string>> = {
  log: 'events.db',
  read_models: 'read-models.db',
  access_log: 'access.db',
};
const PARTS = ['', '-wal', '-shm', '.policies'];

/** @param options.dataDir where the stores of this process are; undefined where they are elsewhere */
export function addDiskMetrics(
  metrics: Metrics,
  { disk, dataDir }: { disk: DiskRoom; dataDir?: string | undefined },
): void {
  const one = (value: number): Readings => (Number.isNaN(value) ? [] : [[[], value]]);
  metrics.gauge({ name: 'forgelog_disk_free_bytes', help: 'Free bytes of the disk of DATA_DIR.' }, () =>
    one(disk.look().freeBytes),
  );
  metrics.gauge({ name: 'forgelog_disk_size_bytes', help: 'Size of the disk of DATA_DIR.' }, () =>
    one(disk.look().sizeBytes),
  );
  metrics.gauge(
    {
      name: 'forgelog_disk_full',
      help: 'Whether the disk of DATA_DIR has only room left for what was accepted already.',
    },
    () => one(disk.look().isFull ? 1 : 0),
  );
  if (dataDir === undefined) return;
  metrics.gauge(
    {
      name: 'forgelog_store_bytes',
      help: 'Size of the files of a store: the event log, the read models, the access log.',
      labels: ['store'],
    },
    () =>
      Promise.all(
        Object.entries(FILES).map(async ([store, file]) => {
          const sizes = await Promise.all(PARTS.map((part) => sizeOf(join(dataDir, `${file}${part}`))));
          return [[store], sizes.reduce((sum, size) => sum + size, 0)] as const;
        }),
      ),
  );
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
