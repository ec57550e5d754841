import { childrenOf } from '@forgelog/git/testing/processes.ts';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { faultWorld } from '../support/fault-world.ts';
import { forgelogForTest } from '../support/forgelog.ts';
import { apiOf, ROOT_TOKEN } from '../support/mixed-load.ts';
import { answerUntil, beginPush, packetsOf, pushBody } from '../support/push-client.ts';
import { workingCopy } from '../support/stock-git.ts';

type Enough = (received: Buffer) => boolean;

/** Without side-bands the first flush packet ends the report. */
const plainReport: Enough = (received) => packetsOf(received).includes(null);

/** With side-bands the report and its flush packet lie within band 1. */
const reportInBand: Enough = (received) => {
  const packets = packetsOf(received).filter((packet) => packet?.[0] === 1) as Buffer[];
  return plainReport(Buffer.concat(packets.map((packet) => packet.subarray(1))));
};

const clients: readonly [what: string, capabilities: string, enough: Enough][] = [
  ['without side-bands', 'report-status', plainReport],
  ['with side-bands', 'report-status side-band-64k', reportInBand],
];

async function push(address: string, path: string, body: Buffer, enough: Enough): Promise<string> {
  const socket = beginPush(address, path, ROOT_TOKEN, body.length);
  socket.write(body);
  return (await answerUntil(socket, enough)).toString('latin1');
}

test.each(clients)(
  'a client %s that disconnects at the report of the first push finds the default branch at once',
  async (_, capabilities, enough) => {
    const forgelog = await forgelogForTest();
    const body = await pushBody(await workingCopy(), 'trunk', capabilities);
    for (let round = 1; round <= 5; round++) {
      const { body: project } = await forgelog.post('/projects', { name: `p${round}` });
      const report = await push(forgelog.url, project.path_with_namespace, body, enough);
      expect(report).toContain('ok refs/heads/trunk');
      const { body: seen } = await forgelog.get(`/projects/${project.id}`);
      expect(seen).toMatchObject({ default_branch: 'trunk', empty_repo: false });
    }
  },
);

test.each(clients)(
  'a client %s that disconnects after the whole report is not logged as broken off',
  async (_, capabilities, enough) => {
    const world = await faultWorld();
    const server = await world.start({ environment: { LOG_LEVEL: 'info' } });
    const body = await pushBody(await workingCopy(), 'main', capabilities);
    for (let round = 1; round <= 5; round++) {
      await apiOf(server.address)('POST', '/projects', { name: `p${round}` });
      await push(server.address, `root/p${round}`, body, enough);
    }
    expect(await server.stop()).toBe(0);
    expect(server.output().match(/git-receive-pack","status":200/g)).toHaveLength(5);
    expect(server.output()).not.toMatch(/broke off|"aborted"|"level":[456]0/);
  },
);

test('a client that disconnects before the report is logged as broken off', async () => {
  const world = await faultWorld();
  const server = await world.start({ environment: { LOG_LEVEL: 'info' } });
  await apiOf(server.address)('POST', '/projects', { name: 'p' });
  const body = await pushBody(await workingCopy(), 'main', 'report-status');
  const socket = beginPush(server.address, 'root/p', ROOT_TOKEN, body.length);
  // git waits for the rest of the pack until its client is gone.
  await new Promise((sent) => socket.write(body.subarray(0, -30), sent));
  const commands = () => childrenOf(server.pid).map(({ command }) => command);
  await eventually('git takes the push', commands, {
    until: (found) => found.some((command) => command.includes('receive-pack')),
  });
  socket.destroy();
  await expect.poll(server.output).toContain('push broke off');
  expect(await server.stop()).toBe(0);
});
