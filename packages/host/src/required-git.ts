import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ConfigurationError } from '@forgelog/service-kit/configuration.ts';

/** The first version with `merge-tree --write-tree`, which merges. */
const OLDEST = [2, 38] as const;

/**
 * Checks git before anything listens. Otherwise the first project would fail with an error that hides the cause.
 * @throws ConfigurationError
 */
export async function requireGit(): Promise<void> {
  const wanted = `git ${OLDEST.join('.')} or newer is needed`;
  const { stdout } = await promisify(execFile)('git', ['--version']).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(`${wanted}, and none could be run from PATH: ${error.code}. Install git.`);
  });
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(stdout) ?? []).map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new ConfigurationError(`${wanted}. This is ${stdout.trim()}.`);
}
