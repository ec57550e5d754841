import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { compare, figures, ratios } from '../harness/compare.ts';
import { httpRequest } from '../harness/load.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { startProduct } from '../harness/servers.ts';

/** The first and the last registered GET route that refuse who is not signed in: all but the route is the same. */
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
      const { first, last } = await compare(
        { first: side(guarded[0]!), last: side(guarded.at(-1)!) },
        { ...options, by: 'cpu' },
      );
      const detail = `${endpoints.length} routes; first ${figures(first)}; last ${figures(last)}`;
      return [
        result(3, 'the last route against the first', { atLeast: 0.95 }, ratios(first, last, 'cpu'), detail),
      ];
    } finally {
      await product.stop();
    }
  },
};
