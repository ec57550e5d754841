import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { must } from '../support/must.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ replicas: { gateway: 2 }, environment: { TRUSTED_PROXIES: 'loopback' } });
});
afterAll(() => cluster.stop());

const addresses = () => cluster.replicas.gateway.map(({ address }) => address);

async function statuses(count: number, ask: (gateway: string, nth: number) => Promise<Response>) {
  const all = addresses();
  const asked = Array.from({ length: count }, async (_, nth) => {
    const answer = await ask(all[nth % all.length]!, nth);
    await answer.body?.cancel();
    return answer.status;
  });
  const counts: Record<number, number> = {};
  for (const status of await Promise.all(asked)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

test('two gateways let as many wrong passwords pass as one, and refuse the right one at both then', async () => {
  const password = 'a password of their own';
  const { username } = (await must(
    cluster.post('/users', { ...{ username: 'vera', name: 'Vera', email: 'vera@example.org' }, password }),
  )) as { username: string };
  const git = (tried: (nth: number) => string, from: string) => (gateway: string, nth: number) =>
    fetch(`${gateway}/vera/none.git/info/refs?service=git-upload-pack`, {
      headers: {
        Authorization: `Basic ${Buffer.from(`${username}:${tried(nth)}`).toString('base64')}`,
        'X-Forwarded-For': from,
      },
    });
  expect(
    await statuses(
      40,
      git((nth) => `wrong ${nth}`, '192.0.2.1'),
    ),
  ).toEqual({ 401: 10, 429: 30 });
  expect(
    await statuses(
      2,
      git(() => password, '192.0.2.1'),
    ),
  ).toEqual({ 429: 2 });
  expect(
    await statuses(
      2,
      git(() => password, '192.0.2.2'),
    ),
  ).toEqual({ 404: 2 });
});

test('two gateways let as many wrong tokens pass as one, and refuse those that are new there', async () => {
  const { token } = await createUser(cluster);
  const api = (tokenOf: (nth: number) => string) => (gateway: string, nth: number) =>
    fetch(`${gateway}/api/v4/user`, {
      headers: { 'PRIVATE-TOKEN': tokenOf(nth), 'X-Forwarded-For': '192.0.2.3' },
    });
  expect(
    await statuses(
      150,
      api((nth) => `guess ${nth}`),
    ),
  ).toEqual({ 401: 50, 429: 100 });
  await expect
    .poll(() =>
      statuses(
        2,
        api(() => token),
      ),
    )
    .toEqual({ 429: 2 });
});
