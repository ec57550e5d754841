import { createReport, type Report } from '@forgelog/infra/verification/report.ts';
import { verifyDataFolder } from '@forgelog/infra/verification/verify-data-folder.ts';
import { verifySplitFolder } from '@forgelog/infra/verification/verify-split-folder.ts';
import { expect } from 'vitest';

async function reported(
  verifying: (report: Report) => Promise<void>,
): Promise<{ problems: readonly string[]; output: string }> {
  let output = '';
  const write = (text: string) => {
    output += text;
    return true;
  };
  const report = createReport({ write, isTTY: false });
  await verifying(report);
  report.end();
  return { problems: [...report.problems, ...report.mended], output };
}

/** What `npm run verify` finds in a data folder whose server is stopped, also what a start mends, and says of it. */
export const verify = (dataDir: string): Promise<{ problems: readonly string[]; output: string }> =>
  reported((report) => verifyDataFolder(dataDir, report));

/** What `npm run repair` still finds in it, and says of what it mended. */
export const repair = (dataDir: string): Promise<{ problems: readonly string[]; output: string }> =>
  reported((report) => verifyDataFolder(dataDir, report, { repair: true }));

export async function expectSound(dataDir: string): Promise<void> {
  expect((await verify(dataDir)).problems).toEqual([]);
}

/** The same of services apart that are stopped, while their log and MongoDB still answer. */
export async function verifySplit({
  dataDir,
  logUrl,
  mongodbUrl,
}: {
  dataDir: string;
  logUrl: string;
  mongodbUrl?: string | undefined;
}): Promise<{ problems: readonly string[]; output: string }> {
  return reported((report) => verifySplitFolder({ dataDir, eventstoreUrl: logUrl, mongodbUrl }, report));
}
