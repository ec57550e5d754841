import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const executable = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path));

export const hasBrowser = executable !== undefined;

/** The document at an address as it is after its scripts have run, in a real browser. */
export async function shownInBrowser(address: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'forgelog-browser-'));
  const options = ['--headless=new', '--no-sandbox', '--disable-gpu', `--user-data-dir=${folder}`];
  try {
    const run = promisify(execFile)(executable!, [
      ...options,
      '--virtual-time-budget=5000',
      '--dump-dom',
      address,
    ]);
    return (await run).stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
