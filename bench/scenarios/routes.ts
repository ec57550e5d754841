import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { compare, figures, ratios } from '../harness/compare.ts';
import { httpRequest } from '../harness/load.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { startProduct } from '../harness/servers.ts';
import { summarise } from '../harness/statistics.ts';

/** The first and the last registered GET route that reject anonymous requests: only the routing differs. */
export const routes: Scenario = {
  goals: [3],
  async run({ options, data }: Bench) {
    const product = await startProduct((await data('small')).folder);
    const guarded = endpoints.filter(
      ({ method, access }) => method === 'GET' && (access.kind === 'user' || access.kind === 'administrator'),
    );
    const side = (endpoint: AnyEndpoint) => {
      const path = endpoint.path.replace(/[:*]\w+/g, '1');
      return {
        process: product,
        load: { status: 401, connections: 32, next: () => httpRequest('GET', `/api/v4${path}`) },
      };
    };
    try {
      // Measures the first route twice, which shows the noise of the comparison.
      const { first, last, again } = await compare(
        { first: side(guarded[0]!), last: side(guarded.at(-1)!), again: side(guarded[0]!) },
        { ...options, by: 'cpu' },
      );
      const noise = summarise(ratios(first, again, 'cpu'));
      const itself = `${noise.median.toFixed(2)} ±${Math.round(noise.spread * 100)} %`;
      const detail = `${endpoints.length} routes; first ${figures(first)}; last ${figures(last)}; first against itself ${itself}`;
      return [
        result(3, 'the last route against the first', { atLeast: 0.95 }, ratios(first, last, 'cpu'), detail),
      ];
    } finally {
      await product.stop();
    }
  },
};
