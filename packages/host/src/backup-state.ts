import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metrics } from '@forgelog/service-kit/telemetry/metrics.ts';
import { z } from 'zod';

/** What the backups of a data folder have told of themselves, in a file there, for the server's metrics. */
const NAME = 'backups.json';
/** Those of folders that were used once are forgotten. */
const MOST = 8;

const backupStates = z.array(z.object({ folder: z.string(), endedAt: z.iso.datetime(), bytes: z.int() }));

export type BackupState = z.output<typeof backupStates>[number];

/** The newest backup into each folder, newest first; [] where none was taken. */
async function readBackupStates(dataDir: string): Promise<BackupState[]> {
  try {
    return backupStates.parse(JSON.parse(await readFile(join(dataDir, NAME), 'utf8')));
  } catch {
    return [];
  }
}

/** Notes a backup that was taken, for the server's metrics. */
export async function noteBackup(dataDir: string, state: BackupState): Promise<void> {
  const others = (await readBackupStates(dataDir)).filter(({ folder }) => folder !== state.folder);
  const path = join(dataDir, NAME);
  await writeFile(`${path}.new`, JSON.stringify([state, ...others].slice(0, MOST)), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

export function addBackupMetrics(metrics: Metrics, given: { dataDir: string; clock: () => Date }): void {
  const { dataDir, clock } = given;
  const read = async (value: (state: BackupState) => number) =>
    (await readBackupStates(dataDir)).map((state) => [[state.folder], value(state)] as const);
  metrics.gauge(
    {
      name: 'forgelog_backup_age_seconds',
      help: 'Time since the last backup into the folder ended.',
      labels: ['folder'],
    },
    () => read(({ endedAt }) => Math.max(0, clock().getTime() - Date.parse(endedAt)) / 1000),
  );
  metrics.gauge(
    {
      name: 'forgelog_backup_size_bytes',
      help: 'What the backup takes on its disk.',
      labels: ['folder'],
    },
    () => read(({ bytes }) => bytes),
  );
}
