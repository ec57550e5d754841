import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { keepFilesPrivate } from '@forgelog/host/data-folder.ts';
import { requireGit } from '@forgelog/host/required-git.ts';
import { BackupError } from './backup/backup-error.ts';
import { restoreBackup } from './backup/restore-backup.ts';
import { parseRestorePoint } from './backup/restore-point.ts';

import { createReport } from './verification/report.ts';

const USAGE = `Usage: npm run restore -- <folder of the backup> <new data folder> [--until <time or position>]
Makes a data folder from a backup. --until leaves out what happened after a time, or after a position of the log.`;

/** Exits with 0 if everything is restored, and with 1 if something is not, which it names. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { until: { type: 'string' } },
    allowPositionals: true,
  });
  const [folder, dataDir] = positionals;
  if (folder === undefined || dataDir === undefined || positionals.length > 2) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  keepFilesPrivate(dataDir);
  await requireGit();
  const until = values.until === undefined ? undefined : parseRestorePoint(values.until);
  const report = createReport(process.stdout);
  const { log, manifest } = await restoreBackup({
    ...{ folder: resolve(folder), dataDir: resolve(dataDir), until, report },
    clock: () => new Date(),
  }).finally(report.end);
  const lines = log
    ? [
        `The log ends at position ${log.position}, with what happened at ${log.time}.`,
        `A new epoch begins after ${log.after}: readers of the event stream that are beyond it are told to go back.`,
        'The next start makes the read models from the log. Until then there are none.',
      ]
    : ['Refs follow the log at the next start. Restore the log of the same day before.'];
  lines.push('The key is in no backup: set SECRET_KEY, or put the file secret-key into the data folder.');
  const settings = Object.entries(manifest.settings).map(([name, value]) => `${name}=${value}`);
  if (settings.length > 0) lines.push(`The settings were: ${settings.join(' ')}`);
  const { length } = report.problems;
  lines.push(
    length === 0 ? 'Everything is restored.' : `${length} ${length === 1 ? 'problem' : 'problems'} found.`,
  );
  process.stdout.write(`${lines.join('\n')}\n`);
  return length === 0 ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    process.stderr.write(`${error instanceof BackupError ? error.message : error.stack}\n`);
    process.exit(1);
  },
);
