import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AlreadyOpenError } from '@forgelog/eventing/adapters/sqlite/exclusive-lock.ts';
import { noteBackup } from '@forgelog/host/backup-state.ts';
import { keepFilesPrivate } from '@forgelog/host/data-folder.ts';
import { settings } from '@forgelog/service-kit/configuration.ts';
import { BackupError } from './backup/backup-error.ts';
import { inMebibytes } from './backup/free-space.ts';
import { createProgress } from './backup/progress.ts';
import { takeBackup } from './backup/take-backup.ts';

const USAGE = `Usage: npm run backup -- <folder> [--keep <days>]
Backs up DATA_DIR into the folder, beside a running server. The first run copies everything, later ones what is new.
--keep  how long the backup keeps what is deleted, in days (30): a restore goes back as far`;
const KEEP_DAYS = '30';
const SECRET = /TOKEN|PASSWORD|SECRET|KEY|HEADERS/;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { keep: { type: 'string', default: KEEP_DAYS } },
    allowPositionals: true,
  });
  const [folder] = positionals;
  const keepDays = Number(values.keep);
  if (folder === undefined || positionals.length > 1 || !Number.isInteger(keepDays) || keepDays < 0) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  keepFilesPrivate(folder);
  const { DATA_DIR = './data', EVENTSTORE_URL, S3_BUCKET } = process.env;
  const dataDir = resolve(DATA_DIR);
  const progress = createProgress(process.stderr);
  const withLog = !EVENTSTORE_URL;
  const manifest = await takeBackup({
    ...{ dataDir, folder: resolve(folder), withLog, keepDays, progress },
    settings: openSettings(process.env),
    clock: () => new Date(),
  }).finally(progress.end);
  const { endedAt, bytes, files, log } = manifest;
  await noteBackup(dataDir, { folder: resolve(folder), endedAt, bytes }).catch((error: Error) =>
    progress.note(`The metrics do not show this backup: ${error.message}`),
  );
  const parts = [`${files} files`, ...(log ? [`the log up to position ${log.position}`] : [])].join(' and ');
  process.stdout.write(`The backup has ${parts}: ${inMebibytes(bytes)} in ${resolve(folder)}.\n`);
  if (!withLog) process.stdout.write('The log is in EventStoreDB: back it up there.\n');
  if (S3_BUCKET)
    process.stdout.write(`Artifacts and uploads are in the bucket ${S3_BUCKET}: back it up there.\n`);
  process.stdout.write('The key (SECRET_KEY, or the file secret-key) is not in it: keep it elsewhere.\n');
  return 0;
}

function openSettings(environment: NodeJS.ProcessEnv): Record<string, string> {
  const names = Object.keys(settings.shape).filter((name) => !SECRET.test(name) && environment[name]);
  return Object.fromEntries(names.map((name) => [name, environment[name]!]));
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    const isExpected = error instanceof BackupError || error instanceof AlreadyOpenError;
    process.stderr.write(`${isExpected ? error.message : error.stack}\n`);
    process.exit(1);
  },
);
