import { compare, figures, ratios } from '../harness/compare.ts';
import { createRandom } from '../harness/random.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import type { Seeded } from '../harness/seed.ts';
import { answerOf, get, startBare, startProduct } from '../harness/servers.ts';

const CONNECTIONS = 32;

/** A single issue, random or always the same, against `node:http` with prepared bytes. */
export const oneIssue: Scenario = {
  goals: [1, 2],
  async run({ options, data }: Bench) {
    const seeded = await data('large');
    const product = await startProduct(seeded.folder);
    const quiet = options.only.length === 0 || options.only.includes(1);
    const same = get(seeded, `/projects/${seeded.projects[0]!.id}/issues/7`);
    const bare = await startBare(await answerOf(product, same));
    try {
      const random = randomIssue(seeded);
      const load = { status: 200, connections: CONNECTIONS };
      const measured = await compare(
        {
          bare: { process: bare, load: { ...load, next: () => same } },
          random: { process: product, load: { ...load, next: random } },
          same: { process: product, load: { ...load, next: () => same } },
        },
        { ...options, by: 'cpu' },
      );
      const against = (side: 'random' | 'same') =>
        `bare ${figures(measured.bare)}; product ${figures(measured[side])}`;
      const of = (side: 'random' | 'same') => ratios(measured.bare, measured[side], 'cpu');
      await product.stop();
      return [
        result(1, 'one issue at random, log on', { atLeast: 0.32 }, of('random'), against('random')),
        ...(quiet ? [await withoutLog(seeded, bare, random, options)] : []),
        result(2, 'the same issue again', { atLeast: 0.6 }, of('same'), against('same')),
      ];
    } finally {
      await product.stop();
      await bare.stop();
    }
  },
};

async function withoutLog(
  seeded: Seeded,
  bare: Awaited<ReturnType<typeof startBare>>,
  random: () => string,
  options: Bench['options'],
) {
  const product = await startProduct(seeded.folder, { LOG_LEVEL: 'warn' });
  try {
    const load = { status: 200, connections: CONNECTIONS, next: random };
    const measured = await compare(
      { bare: { process: bare, load }, product: { process: product, load } },
      { ...options, by: 'cpu' },
    );
    const detail = `bare ${figures(measured.bare)}; product ${figures(measured.product)}`;
    const ratio = ratios(measured.bare, measured.product, 'cpu');
    return result(1, 'one issue at random, log off', { atLeast: 0.32 }, ratio, detail);
  } finally {
    await product.stop();
  }
}

function randomIssue(seeded: Seeded): () => string {
  const random = createRandom(1);
  return () => {
    let at = Math.floor(random() * seeded.issues);
    let project = 0;
    while (at >= seeded.projects[project]!.issues) at -= seeded.projects[project++]!.issues;
    return get(seeded, `/projects/${seeded.projects[project]!.id}/issues/${at + 1}`);
  };
}
