import { httpRequest, load } from '../harness/load.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { get, startProduct } from '../harness/servers.ts';

const REQUESTS = 100_000;
const STEPS = 10;
/** Step 1 is a warm-up, so measuring starts here. */
const FIRST = 2;
const MB = 1024 * 1024;

/** Checks that memory does not grow with requests: mixed reads, lists and writes in ten steps. */
export const steadiness: Scenario = {
  goals: [10],
  async run({ options, copy, tell }: Bench) {
    const seeded = await copy();
    const product = await startProduct(seeded.folder);
    const project = seeded.projects[0]!;
    const issues = `/projects/${project.id}/issues`;
    const headers = { 'PRIVATE-TOKEN': seeded.token, 'Content-Type': 'application/json' };
    let number = 0;
    const reads = () => {
      number += 1;
      if (number % 10 === 0) return get(seeded, `${issues}?page=${1 + (number % 50)}&n=${number}`);
      return get(seeded, `${issues}/${1 + (number % project.issues)}`);
    };
    const writes = () =>
      httpRequest('POST', `/api/v4${issues}`, headers, JSON.stringify({ title: `issue ${++number}` }));
    const step = (options.quick ? REQUESTS / 10 : REQUESTS) / STEPS;
    const bounds = { port: product.port, connections: 16, seconds: 60 };
    const sizes: number[] = [];
    try {
      for (let at = 0; at < STEPS; at += 1) {
        await load({ ...bounds, requests: step * 0.95, status: 200, awake: false, next: reads });
        await load({ ...bounds, requests: step * 0.05, status: 201, awake: false, next: writes });
        const { anonymous, longestTurn } = await product.usage();
        sizes.push(anonymous / MB);
        tell(`${(at + 1) * step} requests: ${(anonymous / MB).toFixed(0)} MB, ${longestTurn.toFixed(0)} ms`);
      }
    } finally {
      await product.stop();
    }
    const warm = sizes[FIRST - 1]!;
    const detail = sizes.map((size) => size.toFixed(0)).join(', ');
    const later = sizes.slice(-FIRST).map((size) => size / warm);
    return [
      result(
        10,
        `memory after ${step * STEPS} requests against a fifth`,
        { atMost: 1.2 },
        later,
        `${detail} MB`,
      ),
    ];
  },
};
