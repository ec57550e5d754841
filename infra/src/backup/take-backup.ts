import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { lockExclusively } from '@forgelog/eventing/adapters/sqlite/exclusive-lock.ts';
import { type BackupIndex, openBackupIndex } from './backup-index.ts';
import { type ContentStore, openContentStore } from './content-store.ts';
import { ifMissing } from './data-folder-files.ts';
import { requireSpace } from './free-space.ts';
import { type LogSource, openLogSource } from './log-source.ts';
import { hashOf, type Manifest, readManifest, writeManifest } from './manifest.ts';
import type { Progress } from './progress.ts';
import { dueBytes, saveDataFolder } from './save-data-folder.ts';
import { createFileSaver } from './save-files.ts';

export interface BackupOptions {
  dataDir: string;
  folder: string;
  withLog: boolean;
  /** How long the backup keeps what is gone from the data folder. */
  keepDays: number;
  settings: Record<string, string>;
  clock: () => Date;
  progress: Progress;
}

const DAY_MS = 86_400_000;

/**
 * Brings a backup to the state of a data folder, beside the server that works in it or without one. docs/adr/0061 says
 * why it is consistent. A kill at any moment leaves the earlier backup as it was.
 * @throws BackupError, AlreadyOpenError while another run writes to the folder
 */
export async function takeBackup(options: BackupOptions): Promise<Manifest> {
  const { folder, clock, keepDays, settings } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = lockExclusively(join(folder, 'backup'));
  try {
    const begunAt = clock();
    const previous = await readManifest(folder);
    const run = (previous?.run ?? 0) + 1;
    const name = `index-${run}.db`;
    await removeIndexes(folder, previous?.index.name);
    if (previous) await copyFile(join(folder, previous.index.name), join(folder, name));
    const store = openContentStore(folder);
    const index = openBackupIndex(join(folder, name), { run });
    let totals: ReturnType<BackupIndex['totals']>;
    let log: Manifest['log'];
    try {
      log = await save(options, { index, store, previous });
      index.endRun(begunAt, new Date(begunAt.getTime() - keepDays * DAY_MS));
      totals = index.totals();
    } finally {
      index.close();
    }
    await store.sync();
    const { size } = await stat(join(folder, name));
    const manifest: Manifest = {
      ...{ format: 1, run, log, keepDays, settings },
      begunAt: begunAt.toISOString(),
      endedAt: clock().toISOString(),
      index: { name, sha256: await hashOf(join(folder, name)), size },
      files: totals.files,
      bytes: totals.bytes + size,
    };
    await writeManifest(folder, manifest);
    await sweep(folder, name, store);
    return manifest;
  } finally {
    lock.release(true);
  }
}

async function save(
  { dataDir, folder, withLog, progress }: BackupOptions,
  into: { index: BackupIndex; store: ContentStore; previous: Manifest | undefined },
): Promise<Manifest['log']> {
  const saver = createFileSaver({ dataDir, ...into, progress });
  let source: LogSource | undefined;
  try {
    if (withLog) source = await openLogSource(dataDir, into);
    await requireSpace(folder, await dueBytes(dataDir, saver, source));
    const position = await saveDataFolder({ dataDir, folder, saver, source, progress });
    return source ? { firstId: source.firstId, position } : null;
  } finally {
    source?.close();
  }
}

/** The manifest names the new list by now: what only earlier ones need goes. */
async function sweep(folder: string, name: string, store: ContentStore): Promise<void> {
  const index = openBackupIndex(join(folder, name));
  try {
    await store.sweep(index.needs);
  } finally {
    index.close();
  }
  await removeIndexes(folder, name);
}

async function removeIndexes(folder: string, except: string | undefined): Promise<void> {
  for (const name of (await readdir(folder).catch(ifMissing)) ?? [])
    if (/^index-\d+\.db/.test(name) && name !== except) await rm(join(folder, name));
}
