import { onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import { readAgain } from './load-answers.ts';
import { createMixedLoad } from './mixed-load.ts';
import type { SplitWorld } from './split-world.ts';
import { verifySplit } from './verify.ts';

export interface UnderLoad {
  /** Resolves when so many more writes were acknowledged. */
  served(count: number): Promise<void>;
  /** Resolves when so many more writes were refused. */
  refused(count: number): Promise<void>;
  /** Ends the load, waits until all is well again by itself, stops the world, and gives all that is wrong. */
  check(): Promise<string[]>;
}

/** A lasting load on a world that is up, with readers of what it was acknowledged, until `check` or the test's end. */
export async function underLoad(
  world: SplitWorld,
  { mayBreak = false }: { mayBreak?: boolean } = {},
): Promise<UnderLoad> {
  const load = await createMixedLoad(world.url, world.folder, { lasting: true, mayBreak });
  const ending = new AbortController();
  let stop = () => {};
  const running = load.run(world.url, (_, end) => {
    stop = end;
    if (ending.signal.aborted) end();
  });
  const reading = readAgain(world.url, load, { signal: ending.signal, mayBreak });
  const end = () => {
    ending.abort();
    stop();
  };
  onTestFinished(end);
  const more = async (what: string, count: () => number, by: number) => {
    const enough = count() + by;
    await eventually(`${what}, up to ${enough}`, count, {
      until: (done) => done >= enough,
      detail: () => load.surprises.slice(-5).join('\n'),
    });
  };
  return {
    served: (count) => more('writes that are acknowledged', load.acknowledged, count),
    refused: (count) => more('writes that are refused', load.refusals, count),
    async check() {
      end();
      await running;
      const right = await reading;
      await world.healed();
      const wrong = right > 0 ? [] : ['nothing could be read again'];
      wrong.push(...(await load.check(world.url)), ...(await world.stop()));
      const { problems } = await verifySplit(world);
      return [...new Set([...wrong, ...problems])];
    },
  };
}
