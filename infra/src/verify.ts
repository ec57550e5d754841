import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { keepFilesPrivate } from '@forgelog/host/data-folder.ts';
import { createReport } from './verification/report.ts';
import { verifyDataFolder } from './verification/verify-data-folder.ts';

/**
 * `npm run verify -- DATA_DIR` verifies the data folder of a stopped server; exits with 0 if it is sound or the next start
 * makes it so, else 1. `npm
 * run repair -- DATA_DIR` (`--repair`) repairs its repositories from the log first.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { repair: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [given = process.env.DATA_DIR ?? './data'] = positionals;
  keepFilesPrivate(resolve(given));
  const report = createReport(process.stdout);
  try {
    await verifyDataFolder(resolve(given), report, values);
  } finally {
    report.end();
  }
  const { length } = report.problems;
  const mended = report.mended.length;
  if (mended > 0)
    process.stdout.write(`The next start mends ${mended} ${mended === 1 ? 'difference' : 'differences'}.\n`);
  process.stdout.write(
    length === 0 ? 'No problem was found.\n' : `${length} ${length === 1 ? 'problem' : 'problems'} found.\n`,
  );
  return length === 0 ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${(error as Error).stack}\n`);
    process.exit(1);
  },
);
