import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createToken, createUser } from '../support/accounts.ts';
import { callsTo, ROOT_TOKEN } from '../support/calls.ts';
import { PROGRAM_ENVIRONMENT, startServerProcess } from '../support/server-process.ts';

const program = resolve(import.meta.dirname, '../../infra/src/administration.ts');

async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'forgelog-administration-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function serve(dataDir: string) {
  const server = startServerProcess({ DATA_DIR: dataDir, ROOT_TOKEN });
  onTestFinished(() => void server.stop('SIGKILL'));
  return { server, calls: callsTo((await server.ready)!, []) };
}

function administer(dataDir: string, command: string[], input = '') {
  const env = { ...PROGRAM_ENVIRONMENT, DATA_DIR: dataDir, LOG_LEVEL: 'error' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...command], {
    ...{ env, input, encoding: 'utf8' },
  });
  return { status, stdout, stderr };
}

test('an operator whom nobody lets in lists administrators, resets root and revokes tokens', async () => {
  const dataDir = await dataFolder();
  const first = await serve(dataDir);
  const ada = await createUser(first.calls, { username: 'ada', admin: true });
  const lost = await createToken(first.calls, ada.id);
  await first.calls.put('/users/1', { admin: false }, { token: ada.token });
  await first.calls.post('/users/1/block', {}, { token: ada.token });
  expect((await first.calls.get('/user')).status).toBe(403);

  const whileItRuns = administer(dataDir, ['list-admins']);
  expect(whileItRuns).toMatchObject({ status: 2, stdout: '' });
  expect(whileItRuns.stderr).toMatch(/^The server runs: .+ \(process \d+\)\. Stop it, then try again\.\n$/);

  // A kill leaves read models behind the log.
  await first.server.stop('SIGKILL');
  expect(administer(dataDir, ['list-admins'])).toMatchObject({
    ...{ status: 0, stdout: `id\tusername\tstate\ttokens\n${ada.id}\tada\tactive\t2, 3\n` },
  });
  const reset = administer(dataDir, ['reset-root']);
  const token = /shown only now: (flpat-\S+)\n$/.exec(reset.stdout)![1]!;
  expect(administer(dataDir, ['revoke-token'], `${lost}\n`).stdout).toBe('Token 3 is revoked.\n');
  expect(administer(dataDir, ['revoke-token', '2']).stdout).toBe('Token 2 is revoked.\n');
  expect(administer(dataDir, ['revoke-token', '99'])).toMatchObject({
    ...{ status: 2, stderr: 'There is no such token.\n' },
  });

  const second = await serve(dataDir);
  const who = async (asked: string) => (await second.calls.get('/user', { token: asked })).status;
  expect(await who(ada.token)).toBe(401);
  expect(await who(lost)).toBe(401);
  expect((await second.calls.get('/user', { token })).body).toMatchObject({ id: 1, is_admin: true });
  const { body: audit } = await second.calls.get('/audit_events', { token });
  expect(JSON.stringify(audit)).not.toContain(token);
  expect(await second.server.stop()).toBe(0);
});

test('a wrong command and a wrong folder are explained, and nothing is made there', async () => {
  const dataDir = await dataFolder();
  for (const command of [[], ['reset-root', 'ada'], ['revoke-token', 'flpat-secret'], ['nonsense']]) {
    const { status, stderr } = administer(dataDir, command);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^Usage, while the server is stopped:/);
  }
  expect(administer(join(dataDir, 'none'), ['list-admins']).stderr).toMatch(/^DATA_DIR: .+ holds no log\./);
  expect(administer(dataDir, ['list-admins']).stderr).toMatch(/^DATA_DIR: .+ holds no log\./);
});
