import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../../..');

/** A start waits for this: a hanging file system must not block it. */
const ANSWER_MS = 5_000;

/**
 * Short commit id: REVISION of the image, else of the checkout, else `unknown`.
 * @param answerMs time limit for git, in milliseconds
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
