import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { must } from '../support/must.ts';

/** In the middle of a window, which does not end while the test runs. */
const NOW = Date.UTC(2031, 0, 1, 12, 30);

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ replicas: { gateway: 2 }, clock: () => new Date(NOW) });
});
afterAll(() => cluster.stop());

test('two gateways keep a limit together within a tenth, and a change acts on both at once', async () => {
  const { token } = await createUser(cluster);
  const addresses = cluster.replicas.gateway.map(({ address }) => address);
  const ask = async (address: string) =>
    (await fetch(`${address}/api/v4/version`, { headers: { 'PRIVATE-TOKEN': token } })).status;
  const limit = (requests: number) =>
    must(
      cluster.put('/application/settings', {
        throttle_authenticated_api_enabled: true,
        throttle_authenticated_api_requests_per_period: requests,
        throttle_authenticated_api_period_in_seconds: 3600,
      }),
    );
  async function admitted(count: number, at: readonly string[]): Promise<number> {
    const answers = await Promise.all(Array.from({ length: count }, (_, nth) => ask(at[nth % at.length]!)));
    expect(answers.every((status) => status === 200 || status === 429)).toBe(true);
    return answers.filter((status) => status === 200).length;
  }

  await limit(100);
  const both = await admitted(300, addresses);
  expect(both).toBeGreaterThanOrEqual(100);
  expect(both).toBeLessThanOrEqual(110);
  expect(await Promise.all(addresses.map(ask))).toEqual([429, 429]);

  await limit(200);
  const [first, second] = addresses as [string, string];
  const apart = both + (await admitted(50, [first])) + (await admitted(300, [second]));
  expect(apart).toBeGreaterThanOrEqual(200);
  expect(apart).toBeLessThanOrEqual(220);

  await must(cluster.put('/application/settings', { throttle_authenticated_api_enabled: false }));
  expect(await Promise.all(addresses.map(ask))).toEqual([200, 200]);
});
