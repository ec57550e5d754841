/** What a repository takes on the disk. */
import type { Store } from './store.ts';

export type DiskUse = {
  /** Of objects, loose and packed. */
  bytes: number;
  looseObjects: number;
  packs: number;
};

export async function diskUse(store: Store): Promise<DiskUse> {
  const { stdout } = await store.runner.capture(store, ['count-objects', '-v'], { deadlineMs: 60_000 });
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
