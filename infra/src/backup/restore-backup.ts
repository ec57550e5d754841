import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openMemoryReadStore } from '@forgelog/eventing/adapters/memory/memory-read-store.ts';
import { openSqliteEventStore } from '@forgelog/eventing/adapters/sqlite/sqlite-event-store.ts';
import { beginEpoch } from '@forgelog/eventing/log-identity.ts';
import { syncFolder } from '@forgelog/git/objects/loose-object-writer.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { assemble } from '../assembly.ts';
import { UNFINISHED_RESTORE } from '../embedded-stores.ts';
import type { Report } from '../verification/report.ts';
import { verifyLog } from '../verification/verify-log.ts';
import { BackupError } from './backup-error.ts';
import { type BackupIndex, openBackupIndex } from './backup-index.ts';
import { type ContentStore, openContentStore } from './content-store.ts';
import { ifMissing } from './data-folder-files.ts';
import { requireSpace } from './free-space.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { createFileRestorer, type FileRestorer } from './restore-files.ts';
import { type RestoredLog, restoreLog } from './restore-log.ts';
import type { RestorePoint } from './restore-point.ts';
import { restoreRepositories } from './restore-repositories.ts';

export interface RestoreOptions {
  folder: string;
  dataDir: string;
  until: RestorePoint | undefined;
  report: Report;
  clock: () => Date;
}

export interface Restored {
  manifest: Manifest;
  /** Null where the log is restored by its own means. */
  log: (RestoredLog & { after: string }) | null;
}

/** A file of SQLite with its indexes is larger than the lines of its rows. */
const LOG_FACTOR = 2;
/** What may be in an empty data folder: the key, and what file systems make. */
const HARMLESS = ['secret-key', 'lost+found'];

/**
 * Makes a data folder from a backup, which a kill leaves marked as unfinished. What cannot be restored is a problem of the
 * report. @throws BackupError where nothing can be restored
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { folder, dataDir, until, report } = options;
  const manifest = await readManifest(folder);
  if (!manifest) throw new BackupError(`${folder} holds no backup (manifest.json).`);
  if (!manifest.log && until?.kind === 'position')
    throw new BackupError('The backup has no log, so it has no positions: give a time.');
  const mark = await beginIn(dataDir);
  const index = openBackupIndex(join(folder, manifest.index.name));
  try {
    const store = openContentStore(folder);
    const logBytes = index.segments().reduce((sum, { uncompressed }) => sum + uncompressed, 0);
    await requireSpace(dataDir, index.totals().bytes + LOG_FACTOR * logBytes);
    const files = createFileRestorer({ dataDir, index, store, report });
    const log = manifest.log ? await restoreHistory(options, { index, store, files }) : null;
    const there = until?.kind === 'time' ? until.time : new Date(manifest.begunAt);
    if (!log) await restoreFolders(files, index.repositories(there), report);
    report.part('objects');
    report.progress('no files');
    // Those that the log no longer names are swept by the server.
    await files.below('objects', log ? undefined : there);
    await files.file('access.db');
    await syncFolder(dataDir);
    await rm(mark);
    await syncFolder(dataDir);
    return { manifest, log };
  } finally {
    index.close();
  }
}

async function restoreHistory(
  { dataDir, until, report, clock }: RestoreOptions,
  { index, store, files }: { index: BackupIndex; store: ContentStore; files: FileRestorer },
): Promise<Restored['log']> {
  report.part('log');
  const restored = await restoreLog(dataDir, { index, store, progress: report.progress }, until);
  const [events, readStore] = [
    await openSqliteEventStore({ path: join(dataDir, 'events.db') }),
    openMemoryReadStore(),
  ];
  try {
    const configuration = readConfiguration({ DATA_DIR: dataDir });
    const log = createLogger({ LOG_LEVEL: 'silent' });
    const { catalogue, ports } = assemble({ store: events, readStore, configuration, log });
    const { after } = await beginEpoch({ store: events, catalogue, clock });
    const contents = await verifyLog(events, catalogue, report);
    report.part('repositories');
    const { commands } = ports;
    if (contents) await restoreRepositories({ dataDir, files, commands, log, report }, contents.projects);
    return { ...restored, after };
  } finally {
    await readStore.close();
    await events.close();
  }
}

async function restoreFolders(files: FileRestorer, paths: readonly string[], report: Report): Promise<void> {
  report.part('repositories');
  report.progress('no repositories');
  for (const [done, path] of paths.entries()) {
    await files.repository(path, 'main');
    report.progress(`${done + 1} of ${paths.length} repositories`);
  }
}

/** Marks an empty folder as one that is being restored. @throws BackupError if it holds data */
async function beginIn(dataDir: string): Promise<string> {
  const mark = join(dataDir, UNFINISHED_RESTORE);
  const found = ((await readdir(dataDir).catch(ifMissing)) ?? []).filter((name) => !HARMLESS.includes(name));
  if (found.length > 0 && !found.includes(UNFINISHED_RESTORE))
    throw new BackupError(`${dataDir} holds data (${found[0]}). Restore into an empty folder.`);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(mark, '', { flush: true });
  await syncFolder(dataDir);
  for (const name of found)
    if (name !== UNFINISHED_RESTORE) await rm(join(dataDir, name), { recursive: true });
  return mark;
}
