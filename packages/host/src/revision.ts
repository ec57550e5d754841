import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../../..');

/** A start waits for it: a checkout on a file system that hangs must not keep a service from starting. */
const ANSWER_MS = 5_000;

/**
 * Short id of the program that runs: what its image was built from, else of the checkout, else `unknown`.
 * @param answerMs how long git may take
 */
export async function programRevision(environment = process.env, answerMs = ANSWER_MS): Promise<string> {
  if (environment.REVISION) return environment.REVISION;
  const args = ['--git-dir', join(root, '.git'), 'rev-parse', '--short', 'HEAD'];
  return promisify(execFile)('git', args, {
    env: environment,
    timeout: answerMs,
    killSignal: 'SIGKILL',
  }).then(
    ({ stdout }) => stdout.trim(),
    () => 'unknown',
  );
}
