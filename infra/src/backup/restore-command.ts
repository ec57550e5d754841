import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { keepFilesPrivate } from '@forgelog/host/data-folder.ts';
import { requireGit } from '@forgelog/host/required-git.ts';
import { createReport } from '../verification/report.ts';
import { BackupError } from './backup-error.ts';
import { restoreBackup } from './restore-backup.ts';
import { parseRestorePoint } from './restore-point.ts';

const USAGE = `Usage: npm run restore -- <folder of the backup> <new data folder> [--until <time or position>]
Makes a data folder from a backup. --until leaves out what happened after a time, or after a position of the log.`;

type Output = Pick<NodeJS.WriteStream, 'write' | 'isTTY'>;

/** Gives 0 if everything is restored, 1 if something is not, which it names, and 2 if the arguments are wrong. */
export async function restoreCommand(
  args: readonly string[],
  { output, errors }: { output: Output; errors: Output },
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { until: { type: 'string' } },
    allowPositionals: true,
  });
  const [folder, dataDir] = positionals;
  if (folder === undefined || dataDir === undefined || positionals.length > 2) {
    errors.write(`${USAGE}\n`);
    return 2;
  }
  keepFilesPrivate(dataDir);
  await requireGit();
  try {
    return await restoreInto(output, { folder, dataDir, until: values.until });
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    errors.write(`${error.message}\n`);
    return 1;
  }
}

async function restoreInto(
  output: Output,
  { folder, dataDir, until }: { folder: string; dataDir: string; until: string | undefined },
): Promise<number> {
  const report = createReport(output);
  const { log, manifest } = await restoreBackup({
    ...{ folder: resolve(folder), dataDir: resolve(dataDir), report },
    until: until === undefined ? undefined : parseRestorePoint(until),
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
  output.write(`${lines.join('\n')}\n`);
  return length === 0 ? 0 : 1;
}
