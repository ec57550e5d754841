import { join } from 'node:path';
import { compare, type Round, ratios } from '../harness/compare.ts';
import { httpRequest } from '../harness/load.ts';
import { type MeasuredProcess, startMeasured } from '../harness/measured-process.ts';
import { createRepository, rootHeaders } from '../harness/product-repository.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { OUT, ROOT_TOKEN } from '../harness/seed.ts';
import { median } from '../harness/statistics.ts';

const MB = 1024 * 1024;
/** Megabytes of anonymous memory of the two servers; a fresh product has about the first. */
const SMALL = 100;
const LARGE = 1024;

/** A request that spawns a git process, by the memory of the serving process. */
export const oneShots: Scenario = {
  goals: [12],
  async run(bench: Bench) {
    const [small, large] = await Promise.all([start(bench, 0), start(bench, LARGE - SMALL)]);
    try {
      const measured = await compare({ small, large }, { ...bench.options, by: 'rate' });
      const sizes = await Promise.all([small, large].map(({ process }) => process.usage()));
      const [few, much] = sizes.map(({ anonymous }) => `${(anonymous / MB).toFixed(0)} MB`);
      const p50 = (rounds: Round[]) => `${median(rounds.map((round) => round.p50)).toFixed(1)} ms`;
      const works = (rounds: Round[]) => rounds.map(({ longestWork }) => longestWork);
      return [
        result(
          12,
          'blame by a large process against a small one',
          { atMost: 1.3 },
          ratios(measured.large, measured.small, 'p50'),
          `${few}: ${p50(measured.small)}; ${much}: ${p50(measured.large)}`,
        ),
        result(
          12,
          'longest turn of a large process, in milliseconds of work',
          { atMost: 2 },
          works(measured.large),
          `${few}: ${median(works(measured.small)).toFixed(1)} ms`,
        ),
      ];
    } finally {
      await Promise.all([small.process.stop(), large.process.stop()]);
    }
  },
};

async function start({ folder }: Bench, ballast: number) {
  const process = await startMeasured(join(import.meta.dirname, '../harness/ballast-server.ts'), {
    env: { DATA_DIR: await folder(), ROOT_TOKEN, BALLAST: String(ballast), MEASURE_TURNS: 'yes' },
    output: join(OUT, 'ballast.log'),
    ready: '/-/readiness',
    profiled: true,
  });
  const id = await repositoryIn(process);
  const path = `/api/v4/projects/${id}/repository/files/file.txt/blame?ref=main`;
  return {
    process,
    load: { status: 200, connections: 1, next: () => httpRequest('GET', path, rootHeaders) },
  };
}

/** Returns the id of a project with a file of some commits. */
async function repositoryIn(process: MeasuredProcess): Promise<number> {
  const project = await createRepository(process, 'bench one-shots');
  let content = '';
  for (const action of ['create', 'update', 'update', 'update'] as const) {
    content += `${'one line\n'.repeat(20)}${action}`;
    await project.commit(action, action, [{ path: 'file.txt', content }]);
  }
  project.close();
  return project.id;
}
