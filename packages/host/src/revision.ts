import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../../..');

/** Short id of the program that runs: what its image was built from, else of the checkout, else `unknown`. */
export async function programRevision(environment = process.env): Promise<string> {
  if (environment.REVISION) return environment.REVISION;
  const args = ['--git-dir', join(root, '.git'), 'rev-parse', '--short', 'HEAD'];
  return promisify(execFile)('git', args).then(
    ({ stdout }) => stdout.trim(),
    () => 'unknown',
  );
}
