import { compare } from '../harness/compare.ts';
import { answers } from '../harness/measured-process.ts';
import { createRandom } from '../harness/random.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { type Seeded, seeded } from '../harness/seed.ts';
import { get, startProduct } from '../harness/servers.ts';
import { median } from '../harness/statistics.ts';

/** Start time and memory, by the amount of data. */
export const startAndSize: Scenario = {
  goals: [9, 10],
  async run(bench: Bench) {
    return [await starting(bench), await memory(bench)];
  },
};

async function starting({ options, data, tell }: Bench) {
  const large = await data('large');
  const none = await seeded(0, tell);
  const times: Record<'none' | 'many', number[]> = { none: [], many: [] };
  for (let round = -1; round < options.rounds; round += 1) {
    for (const [name, { folder, token }] of [['none', none] as const, ['many', large] as const]) {
      const begin = performance.now();
      const product = await startProduct(folder);
      await answers(product.port, '/api/v4/user', { 'PRIVATE-TOKEN': token });
      if (round >= 0) times[name].push(performance.now() - begin);
      await product.stop();
    }
  }
  const ratio = times.many.map((time, round) => time / times.none[round]!);
  const detail = `none ${median(times.none).toFixed(0)} ms; many ${median(times.many).toFixed(0)} ms`;
  return result(9, `first 200 with ${large.issues} events against none`, { atMost: 1.2 }, ratio, detail);
}

const MB = 1024 * 1024;

async function memory({ options, data }: Bench) {
  const [large, small] = [await data('large'), await data('small')];
  const many = await startProduct(large.folder);
  const few = await startProduct(small.folder);
  const sizes: Record<'many' | 'few', number[]> = { many: [], few: [] };
  try {
    const load = (seeded: Seeded) => ({ status: 200, connections: 16, next: anything(seeded) });
    for (let round = 0; round < options.rounds; round += 1) {
      await compare(
        { many: { process: many, load: load(large) }, few: { process: few, load: load(small) } },
        { rounds: 1, seconds: options.seconds, warm: 0.1, by: 'cpu' },
      );
      sizes.many.push((await many.usage()).anonymous / MB);
      sizes.few.push((await few.usage()).anonymous / MB);
    }
    const ratio = sizes.many.map((size, round) => size / sizes.few[round]!);
    const detail = `${small.issues}: ${median(sizes.few).toFixed(0)} MB; ${large.issues}: ${median(sizes.many).toFixed(0)} MB`;
    return result(
      10,
      `anonymous memory, ${large.issues} against ${small.issues}`,
      { atMost: 1.3 },
      ratio,
      detail,
    );
  } finally {
    await Promise.all([many.stop(), few.stop()]);
  }
}

/** Random single issues and pages. */
function anything(seeded: Seeded): () => string {
  const random = createRandom(4);
  const { id, issues } = seeded.projects[0]!;
  const upTo = (most: number) => 1 + Math.floor(random() * most);
  return () =>
    random() < 0.8
      ? get(seeded, `/projects/${id}/issues/${upTo(issues)}`)
      : get(seeded, `/projects/${id}/issues?page=${upTo(Math.min(2000, Math.floor(issues / 20)))}`);
}
