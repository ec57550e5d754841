import { compare, figures, ratios } from '../harness/compare.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { answerOf, get, startBare, startProduct } from '../harness/servers.ts';

const LARGE_BODY_CONNECTIONS = 16;
const PER_PAGE = 20;
const DEEP = 2500;

/** A page of 20 issues: against prepared bytes, in large data against small, and deep in a list. */
export const lists: Scenario = {
  goals: [4, 5],
  async run({ options, data }: Bench) {
    const [large, small] = [await data('large'), await data('small')];
    const product = await startProduct(large.folder);
    const little = await startProduct(small.folder);
    const project = large.projects[0]!;
    const first = get(large, `/projects/${project.id}/issues?per_page=${PER_PAGE}`);
    const firstOfFew = get(small, `/projects/${small.projects[0]!.id}/issues?per_page=${PER_PAGE}`);
    const page = Math.min(DEEP, Math.floor(project.issues / PER_PAGE));
    const deep = get(large, `/projects/${project.id}/issues?per_page=${PER_PAGE}&page=${page}`);
    const bare = await startBare(await answerOf(product, first));
    const connections = LARGE_BODY_CONNECTIONS;
    const again = (request: string) => ({ status: 200, connections, next: () => request });
    // An unused parameter makes every request unique, so that the answer cache never hits.
    let number = 0;
    const load = (request: string) => ({
      status: 200,
      connections,
      next: () => request.replace(' HTTP', `&n=${++number} HTTP`),
    });
    try {
      const { few, many, far, bytes, same } = await compare(
        {
          bytes: { process: bare, load: again(first) },
          same: { process: product, load: again(first) },
          many: { process: product, load: load(first) },
          few: { process: little, load: load(firstOfFew) },
          far: { process: product, load: load(deep) },
        },
        { ...options, by: 'cpu' },
      );
      const is = (name: string, rounds: typeof few) => `${name} ${figures(rounds)}`;
      return [
        result(
          4,
          'a page of 20 issues, again and again',
          { atLeast: 0.45 },
          ratios(bytes, same, 'cpu'),
          `${is('bare', bytes)}; ${is('product', same)}`,
        ),
        result(
          4,
          'a page of 20 issues, put together anew',
          { atLeast: 0.45 },
          ratios(bytes, many, 'cpu'),
          `${is('bare', bytes)}; ${is('product', many)}`,
        ),
        result(
          5,
          `first page, ${large.issues} against ${small.issues}`,
          { atMost: 1.2 },
          ratios(many, few, 'cpu'),
          `${is('few', few)}; ${is('many', many)}`,
        ),
        result(
          5,
          `page ${page} against the first`,
          { atMost: 2.5 },
          ratios(far, many, 'cpu'),
          `${is('first', many)}; ${is('deep', far)}`,
        ),
      ];
    } finally {
      await Promise.all([product.stop(), little.stop(), bare.stop()]);
    }
  },
};
