import { execFile } from 'node:child_process';
import { access, constants, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ConfigurationError } from '@forgelog/service-kit/configuration.ts';

/** The first version with `merge-tree --write-tree`, which merges. */
const OLDEST = [2, 38] as const;

/** Otherwise the first project or push would fail and hide the cause. @throws ConfigurationError */
export async function requireGit(): Promise<void> {
  await requireVersion();
  await requireHooks(tmpdir());
}

async function requireVersion(): Promise<void> {
  const wanted = `git ${OLDEST.join('.')} or newer is needed`;
  const { stdout } = await promisify(execFile)('git', ['--version']).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(`${wanted}, and none could be run from PATH: ${error.code}. Install git.`);
  });
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(stdout) ?? []).map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new ConfigurationError(`${wanted}. This is ${stdout.trim()}.`);
}

async function requireHooks(temporary: string): Promise<void> {
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(temporary, 'forgelog-hooks-'));
    const hook = join(folder, 'hook');
    await writeFile(hook, '#!/bin/sh\n', { mode: 0o700 });
    await access(hook, constants.X_OK);
  } catch (error) {
    const problem = folder
      ? 'is mounted without the right to execute files (noexec), or cannot be written'
      : 'cannot be written';
    throw new ConfigurationError(
      `TMPDIR: ${temporary} ${problem} (${(error as NodeJS.ErrnoException).code}). Git's hooks run from this folder, so ` +
        'every push would be refused. Set TMPDIR to a folder that may be written and executed from.',
    );
  } finally {
    if (folder) await rm(folder, { recursive: true, force: true });
  }
}
