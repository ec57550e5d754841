import { createReport } from '@forgelog/infra/verification/report.ts';
import { verifyDataFolder } from '@forgelog/infra/verification/verify-data-folder.ts';
import { expect } from 'vitest';

/** What `npm run verify` finds in a data folder whose server is stopped, and says of it. */
export async function verify(dataDir: string): Promise<{ problems: readonly string[]; output: string }> {
  let output = '';
  const write = (text: string) => {
    output += text;
    return true;
  };
  const report = createReport({ write, isTTY: false });
  await verifyDataFolder(dataDir, report);
  report.end();
  return { problems: report.problems, output };
}

export async function expectSound(dataDir: string): Promise<void> {
  expect((await verify(dataDir)).problems).toEqual([]);
}
