import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, httpRequest } from '../harness/load.ts';
import { type MeasuredProcess, startMeasured } from '../harness/measured-process.ts';
import { createRepository, type ProductRepository } from '../harness/product-repository.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { OUT } from '../harness/seed.ts';
import { startProduct } from '../harness/servers.ts';
import { median } from '../harness/statistics.ts';

/** The most that a project has. */
const HOOKS = 100;
const SLOW_RECEIVERS = 1000;
const POSTS = 20;
const WARM = 100;
/** Messages of a request are on their way when the next one comes, and those before it have arrived. */
const PAUSE_MS = 250;

const LOCAL = { allow_local_requests_from_web_hooks_and_services: true };

/** What a request costs its caller that many receivers are told of, and what receivers that are slow cost all others. */
export const hooks: Scenario = {
  goals: [31],
  async run(bench: Bench) {
    const receiver = await startMeasured(join(import.meta.dirname, '../harness/hook-receiver-server.ts'), {
      output: join(OUT, 'hook-receiver.log'),
      ready: '/ready',
    });
    const sides = {
      none: await startSide(bench, receiver),
      many: await startSide(bench, receiver),
      slow: await startSide(bench, receiver),
    };
    try {
      await sides.many.addHooks(HOOKS, '/fast');
      const slowProjects: ProductRepository[] = [];
      for (let at = 0; at < SLOW_RECEIVERS / HOOKS; at += 1)
        slowProjects.push(await sides.slow.slowProject(`bench slow ${at}`));
      bench.tell(`${SLOW_RECEIVERS} slow receivers`);
      for (const side of Object.values(sides)) await side.warm();
      const costs = { none: [] as number[], many: [] as number[], slow: [] as number[] };
      const delays = { none: [] as number[], slow: [] as number[] };
      const names = ['none', 'many', 'slow'] as const;
      for (let round = 0; round < bench.options.rounds; round += 1)
        for (const name of round % 2 === 0 ? names : names.toReversed()) {
          // Each of them has something to take all the time.
          if (name === 'slow') for (const project of slowProjects) await newIssue(project);
          costs[name].push(await sides[name].post());
          if (name !== 'many') delays[name].push(await sides[name].delay());
        }
      const says = (figures: typeof costs) =>
        names.map((name) => `${name} ${median(figures[name]).toFixed(2)} ms`).join('; ');
      const ratiosTo = (name: 'many' | 'slow') => costs[name].map((cost, at) => cost / costs.none[at]!);
      return [
        result(
          31,
          `POST issue with ${HOOKS} hooks against none`,
          { atMost: 1.1 },
          ratiosTo('many'),
          says(costs),
        ),
        result(
          31,
          `POST issue beside ${SLOW_RECEIVERS} slow receivers against none`,
          { atMost: 1.1 },
          ratiosTo('slow'),
          says(costs),
        ),
        result(
          31,
          `a message beside ${SLOW_RECEIVERS} slow receivers against none`,
          { atMost: 1.5 },
          delays.slow.map((delay, at) => delay / delays.none[at]!),
          `slow ${median(delays.slow).toFixed(1)} ms; none ${median(delays.none).toFixed(1)} ms`,
        ),
      ];
    } finally {
      for (const side of [...Object.values(sides), receiver]) await side.stop();
    }
  },
};

const newIssue = (project: ProductRepository) =>
  project.call('POST', `/projects/${project.id}/issues`, { title: 'To be told of' });

/** A product with a project whose issues are measured, and another one with a single hook. */
async function startSide(bench: Bench, receiver: MeasuredProcess) {
  const product = await startProduct(await bench.folder());
  const project = await createRepository(product, 'bench hooks');
  const watched = await createRepository(product, 'bench watched');
  await project.call('PUT', '/application/settings', LOCAL);
  const addHook = ({ id, call }: ProductRepository, path: string) =>
    call('POST', `/projects/${id}/hooks`, {
      url: `http://127.0.0.1:${receiver.port}${path}`,
      push_events: false,
      issues_events: true,
    });
  await addHook(watched, '/fast');

  /** Milliseconds of each request. */
  async function posts(count: number, pauseMs: number): Promise<number[]> {
    const took: number[] = [];
    for (let at = 0; at < count; at += 1) {
      const begin = performance.now();
      await newIssue(project);
      took.push(performance.now() - begin);
      await sleep(pauseMs);
    }
    return took;
  }

  return {
    async addHooks(count: number, path: string): Promise<void> {
      for (let at = 0; at < count; at += 1) await addHook(project, path);
    },

    async slowProject(name: string): Promise<ProductRepository> {
      const slow = await createRepository(product, name);
      for (let at = 0; at < HOOKS; at += 1) await addHook(slow, '/slow');
      return slow;
    },

    warm: () => posts(WARM, PAUSE_MS / 10).then(() => sleep(10 * PAUSE_MS)),
    post: async () => median(await posts(POSTS, PAUSE_MS)),

    /** Milliseconds from the request to the receiver, as the clock of the machine has it. */
    async delay(): Promise<number> {
      const delays: number[] = [];
      for (let at = 0; at < POSTS; at += 1) {
        const { told } = await toldBy(receiver);
        const begin = Date.now();
        await newIssue(watched);
        for (;;) {
          const now = await toldBy(receiver);
          if (now.told > told) {
            delays.push(now.at - begin);
            break;
          }
          await sleep(5);
        }
      }
      return median(delays);
    },

    async stop(): Promise<void> {
      project.close();
      watched.close();
      await product.stop();
    },
  };
}

async function toldBy({ port }: MeasuredProcess): Promise<{ told: number; at: number }> {
  const connection = await Connection.open(port);
  try {
    const { body } = await connection.call(httpRequest('GET', '/told'));
    return JSON.parse(body.toString());
  } finally {
    connection.close();
  }
}
