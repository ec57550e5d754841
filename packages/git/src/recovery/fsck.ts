import type { RepositoryContext } from '../repository-context.ts';

export interface FsckReport {
  ok: boolean;
  problems: string[];
}

/** Runs a full `git fsck --strict`. Unreferenced objects are no problem. */
export async function fsck(context: RepositoryContext, deadlineMs = 600_000): Promise<FsckReport> {
  const args = ['fsck', '--strict', '--full', '--no-dangling', '--no-progress'];
  const run = await context.runner.capture(context, args, {
    // git exits with 128 if it does not recognise the folder as a repository.
    codes: Array.from({ length: 129 }, (_, code) => code),
    weight: 'heavy',
    deadlineMs,
  });
  const problems = `${run.stdout}${run.stderr}`
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('notice:'));
  return { ok: run.code === 0, problems };
}
