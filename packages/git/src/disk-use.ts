/** Measures the disk usage of a repository. */
import type { RepositoryContext } from './repository-context.ts';

export interface DiskUse {
  /** Loose and packed objects. */
  bytes: number;
  looseObjects: number;
  packs: number;
}

export async function diskUse(context: RepositoryContext): Promise<DiskUse> {
  const { stdout } = await context.runner.capture(context, ['count-objects', '-v'], { deadlineMs: 60_000 });
  const told = new Map(
    stdout
      .toString()
      .match(/^[\w-]+: \d+$/gm)
      ?.map((line) => line.split(': ') as [string, string]),
  );
  const figure = (name: string) => Number(told.get(name) ?? 0);
  const kibibytes = figure('size') + figure('size-pack') + figure('size-garbage');
  return { bytes: kibibytes * 1024, looseObjects: figure('count'), packs: figure('packs') };
}
