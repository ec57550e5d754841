import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { compare, figures, ratios } from '../harness/compare.ts';
import { createIssueTexts } from '../harness/issue-texts.ts';
import { httpRequest } from '../harness/load.ts';
import { startMeasured } from '../harness/measured-process.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { OUT, type Seeded } from '../harness/seed.ts';
import { median } from '../harness/statistics.ts';

const CLIENTS = 50;
const VARIANTS = ['product', 'one-commit', 'no-sync'] as const;

/** Creates durable issues: with shared syncs, with a sync each, and with none. Also measures catching up. */
export const writes: Scenario = {
  goals: [6, 8],
  async run(bench: Bench) {
    const sides = Object.fromEntries(
      await Promise.all(
        VARIANTS.map(async (variant) => [variant, await startVariant(variant, bench)] as const),
      ),
    ) as Record<(typeof VARIANTS)[number], Awaited<ReturnType<typeof startVariant>>>;
    const catching = await startCatchUp(bench);
    try {
      const measured = await compare(sides, { ...bench.options, by: 'rate' });
      const caughtUp: number[] = [];
      for (let round = -1; round < bench.options.rounds; round += 1) {
        const rate = await catching.rebuild();
        if (round >= 0) caughtUp.push(rate);
      }
      const says = VARIANTS.map((name) => `${name} ${figures(measured[name])}`).join('; ');
      const live = measured.product;
      return [
        result(
          6,
          'POST issue against one commit each',
          { atLeast: 4.5 },
          ratios(live, measured['one-commit'], 'rate'),
          says,
        ),
        result(
          6,
          'POST issue against no sync',
          { atLeast: 0.6 },
          ratios(live, measured['no-sync'], 'rate'),
          says,
        ),
        result(
          8,
          'catching up against live writes',
          { atLeast: 5 },
          caughtUp.map((rate, round) => rate / live[round]!.rate),
          `${Math.round(median(caughtUp))} events/s; live ${figures(live)}`,
        ),
      ];
    } finally {
      catching.stop();
      await Promise.all(VARIANTS.map((variant) => sides[variant].process.stop()));
    }
  },
};

async function startVariant(variant: string, { copy }: Bench) {
  const seeded = await copy();
  const process = await startMeasured(join(import.meta.dirname, '../harness/variant-server.ts'), {
    env: { DATA_DIR: seeded.folder, VARIANT: variant },
    output: join(OUT, `${variant}.log`),
    ready: '/-/readiness',
    profiled: true,
  });
  return { process, load: { status: 201, connections: CLIENTS, next: newIssue(seeded) } };
}

function newIssue(seeded: Seeded): () => string {
  const textOf = createIssueTexts(3, [1]);
  const path = `/api/v4/projects/${seeded.projects[0]!.id}/issues`;
  const headers = { 'PRIVATE-TOKEN': seeded.token, 'Content-Type': 'application/json' };
  let number = 0;
  return () => {
    const { title, description, labels } = textOf(++number);
    return httpRequest('POST', path, headers, JSON.stringify({ title, description, labels: labels.join() }));
  };
}

async function startCatchUp({ copy }: Bench) {
  const { folder } = await copy();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../harness/catch-up.ts')], {
    env: { PATH: process.env.PATH, DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return {
    async rebuild(): Promise<number> {
      const answer = once(child, 'message');
      child.send('rebuild');
      return (await answer)[0] as number;
    },
    stop: () => child.kill('SIGTERM'),
  };
}
