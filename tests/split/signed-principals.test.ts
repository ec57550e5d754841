import { request } from 'node:http';
import { createExchangeTokens, EXCHANGE_HEADER } from '@forgelog/service-kit/split/exchange-token.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, SECRET_KEY, startCluster } from '../support/cluster.ts';

let cluster: Cluster;
let projectId: number;
beforeAll(async () => {
  cluster = await startCluster();
  projectId = (await cluster.post('/projects', { name: 'private', visibility: 'private' })).body.id;
});
afterAll(() => cluster.stop());

const clock = () => new Date();
const root = {
  userId: 1,
  username: 'root',
  name: 'Administrator',
  email: 'admin@example.com',
  isAdmin: true,
  external: false,
  scopes: ['api' as const],
  credential: { kind: 'personal_access_token' as const, id: 1 },
  onBehalfBy: null,
};
const claims = () => ({
  kind: 'endpoint' as const,
  endpoint: 'project-issue-list',
  pathParams: { id: String(projectId) },
  principal: root,
  requestId: 'test-request',
  clientAddress: null,
  position: '',
});

function ask(address: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const target = `${address}/api/v4/projects/${projectId}/issues`;
    request(target, { headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode!, body }));
    })
      .on('error', reject)
      .end();
  });
}

test('a service refuses requests that bypass the gateway', async () => {
  for (const name of ['repo', 'tracker', 'ci', 'admin'] as const) {
    const { address } = cluster.replicas[name][0]!;
    const inside = createExchangeTokens({ secretKey: SECRET_KEY, clock });
    const before = createExchangeTokens({
      secretKey: SECRET_KEY,
      clock: () => new Date(Date.now() - 60_000),
    });
    const forged = createExchangeTokens({ secretKey: `${SECRET_KEY}?`, clock });
    const other = name === 'repo' ? 'admin' : 'repo';
    const refused: Record<string, string>[] = [
      {},
      { 'PRIVATE-TOKEN': 'root-token-of-the-tests-1234' },
      { [EXCHANGE_HEADER]: 'anything' },
      { [EXCHANGE_HEADER]: JSON.stringify(claims()) },
      { [EXCHANGE_HEADER]: forged.sign(claims(), name) },
      { [EXCHANGE_HEADER]: before.sign(claims(), name) },
      { [EXCHANGE_HEADER]: inside.sign(claims(), other) },
    ];
    for (const headers of refused) expect((await ask(address, headers)).status).toBe(401);
  }
});

test('a token is accepted only by the service it is for', async () => {
  const tokens = createExchangeTokens({ secretKey: SECRET_KEY, clock });
  const tracker = cluster.replicas.tracker[0]!.address;
  const signed = claims();
  expect(await ask(tracker, { [EXCHANGE_HEADER]: tokens.sign(signed, 'tracker') })).toEqual({
    status: 200,
    body: '[]',
  });
});

test("a client's own principal header is not forwarded", async () => {
  const tokens = createExchangeTokens({ secretKey: SECRET_KEY, clock });
  const signed = claims();
  const headers = { [EXCHANGE_HEADER]: tokens.sign(signed, 'tracker') };
  expect((await ask(cluster.url, headers)).status).toBe(404);
});

test('probes need no token', async () => {
  for (const { address } of Object.values(cluster.replicas).flat()) {
    for (const path of ['/-/liveness', '/-/readiness'])
      expect((await fetch(`${address}${path}`)).status).toBe(200);
  }
});
