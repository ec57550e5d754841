import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { faultWorld } from '../support/fault-world.ts';
import { apiOf, ROOT_TOKEN } from '../support/mixed-load.ts';
import { beginPush, pushBody } from '../support/push-client.ts';
import { faultRounds } from '../support/random.ts';
import { workingCopy } from '../support/stock-git.ts';

vi.setConfig({ testTimeout: 300_000 });

const ROUNDS = faultRounds(40);
/** From the request until after its answer: what follows from a first push takes a moment more. */
const SPREAD_MS = 80;

test('deleting a project during or just after its first push or commit causes no failure', async () => {
  const world = await faultWorld();
  const server = await world.start({ environment: { LOG_LEVEL: 'warn' } });
  const api = apiOf(server.address);
  const body = await pushBody(await workingCopy(), 'main', 'report-status');
  const push = (path: string) =>
    new Promise<void>((ended) => {
      const socket = beginPush(server.address, path, ROOT_TOKEN, body.length);
      socket.on('error', () => {});
      socket.once('close', () => ended());
      socket.on('data', (chunk) => chunk.toString('latin1').endsWith('0\r\n\r\n') && socket.end());
      socket.write(body);
    });
  const statuses = new Set<number>();
  const commit = async (id: number) => {
    const json = { branch: 'main', content: 'x', commit_message: 'x' };
    statuses.add((await api('POST', `/projects/${id}/repository/files/a`, json)).status);
  };
  for (let round = 0; round < ROUNDS; round++) {
    const group = await api('POST', '/groups', { name: `g${round}`, path: `g${round}` });
    const inGroup = round % 3 === 0 ? { namespace_id: group.body.id } : {};
    const project = await api('POST', '/projects', { name: `p${round}`, ...inGroup });
    const { id, path_with_namespace: path } = project.body;
    const changing = round % 2 === 0 ? push(path) : commit(id);
    await sleep((round / ROUNDS) * SPREAD_MS);
    const doomed = round % 3 === 0 ? `/groups/${group.body.id}` : `/projects/${id}`;
    expect((await api('DELETE', doomed)).status).toBe(202);
    await changing;
  }
  expect(await server.stop()).toBe(0);
  expect(server.output()).not.toContain('"level":');
  for (const status of statuses) expect([201, 400, 404]).toContain(status);
});
