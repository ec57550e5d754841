import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildFolder } from './server-process.ts';

const TEN_MINUTES = 10 * 60 * 1000;

/**
 * Runs a build whose result depends on these files alone, unless it is there from an earlier time. The result lies in
 * the folder that it answers, outside of git.
 */
export function buildOnce(step: {
  name: string;
  sources: readonly string[];
  command: string;
  args: (output: string) => readonly string[];
  cwd: string;
  env?: Readonly<Record<string, string>>;
}): string {
  const hash = createHash('sha256');
  for (const source of step.sources) hash.update(readFileSync(source));
  const output = join(buildFolder, `${step.name}-${hash.digest('hex').slice(0, 12)}`);
  const done = join(output, '.done');
  if (existsSync(done)) return output;
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  process.stderr.write(`Building ${step.name} (the first start only)…\n`);
  const { status, error } = spawnSync(step.command, step.args(output), {
    cwd: step.cwd,
    stdio: ['ignore', 2, 2],
    timeout: TEN_MINUTES,
    env: { ...process.env, ...step.env },
  });
  if (status !== 0)
    throw new Error(
      `${step.command} in ${dirname(step.sources[0] ?? '')} failed: ${error?.message ?? status}`,
    );
  writeFileSync(done, '');
  return output;
}
