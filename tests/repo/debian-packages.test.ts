import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sampleChanges, sampleDeb } from '@forgelog/repo/testing/sample-deb.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aptFor, hasApt } from '../support/apt.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';
import { startJob } from '../support/sample-job.ts';

const run = promisify(execFile);
const hasDput = await run('dput', ['--help']).then(
  () => true,
  () => false,
);

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

const NAME = 'engine-tools_1.2.0_amd64.deb';
const CHANGES = 'engine-tools_1.2.0_amd64.changes';
const IN_MAIN = 'distribution=bookworm&component=main';

async function projectOf(path: string, more: object = {}): Promise<number> {
  const { id } = await must(forgelog.post('/projects', { path, ...more }));
  await must(
    forgelog.post(`/projects/${id}/debian_distributions`, { codename: 'bookworm', suite: 'stable' }),
  );
  return id;
}

const put = (id: number, file: string, body: Buffer | string, as: object = {}) =>
  forgelog.call('PUT', `/projects/${id}/packages/debian/${file}`, { body, ...as });
const basic = (name: string, password: string) => ({
  token: null,
  headers: { Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` },
});

async function deployToken(place: string, scope: string): Promise<[string, string]> {
  const wanted = { name: 'd', scopes: [scope] };
  const { username, token } = await must(forgelog.post(`${place}/deploy_tokens`, wanted));
  return [username, token];
}

async function aptOf(place: string, debian: string, [login, password]: readonly [string, string]) {
  const { text: key } = await forgelog.get(`${place}/debian_distributions/bookworm/key.asc`);
  const source = `${forgelog.url}/api/v4${place}${debian} bookworm main`;
  return aptFor({ source, key, machine: new URL(forgelog.url).origin, login, password });
}

describe.skipIf(!hasApt)('a stock apt', () => {
  test('updates, installs and sees each upload at once, with a deploy token and the token of a job', async () => {
    const id = await projectOf('apt');
    const place = `/projects/${id}`;
    const reader = await deployToken(place, 'read_package_registry');
    const job = await startJob(forgelog, id);
    const ci = ['gitlab-ci-token', job.token] as const;
    expect((await put(id, `${NAME}?${IN_MAIN}`, sampleDeb(), basic(...ci))).status).toBe(201);

    const apt = await aptOf(place, '/packages/debian', reader);
    await apt.get('update', '--error-on=any');
    await apt.get('download', 'engine-tools');
    expect(readFileSync(join(apt.root, NAME))).toEqual(sampleDeb());

    const newer = sampleDeb({ Version: '1:1.3.0+x~1', Architecture: 'all' });
    expect((await put(id, `engine-tools_1.3.0_all.deb?${IN_MAIN}`, newer)).status).toBe(201);
    const byJob = await aptOf(place, '/packages/debian', ci);
    for (const one of [apt, byJob]) {
      await one.get('update', '--error-on=any');
      await one.get('install', '--yes', 'engine-tools');
      expect(readFileSync(join(one.root, 'var/lib/dpkg/status'), 'utf8')).toContain('Version: 1:1.3.0+x~1');
    }
    await job.end();
    await expect(byJob.get('update', '--error-on=any')).rejects.toThrow(/401/);
    // Whoever signs with another key is not believed.
    writeFileSync(join(apt.root, 'etc/key.asc'), await keyOfAnother());
    await expect(apt.get('update', '--error-on=any')).rejects.toThrow(/NO_PUBKEY|not signed/);
  });

  async function keyOfAnother(): Promise<string> {
    const id = await projectOf('another');
    return (await forgelog.get(`/projects/${id}/debian_distributions/bookworm/key.asc`)).text;
  }

  test('reads from a group what an uploader put into a project below it', async () => {
    const group = await must(forgelog.post('/groups', { name: 'below', path: 'below' }));
    await must(forgelog.post(`/groups/${group.id}/debian_distributions`, { codename: 'bookworm' }));
    const id = await projectOf('p', { namespace_id: group.id });
    const writer = basic(...(await deployToken(`/projects/${id}`, 'write_package_registry')));
    // As dput sends them: the files first, and what names them last.
    expect((await put(id, NAME, sampleDeb(), writer)).status).toBe(201);
    const apt = await aptOf(
      `/groups/${group.id}`,
      '/-/packages/debian',
      await deployToken(`/groups/${group.id}`, 'read_package_registry'),
    );
    await apt.get('update', '--error-on=any');
    await expect(apt.get('download', 'engine-tools')).rejects.toThrow('Unable to locate package');
    expect((await put(id, CHANGES, sampleChanges({ [NAME]: sampleDeb() }), writer)).status).toBe(201);
    await apt.get('update', '--error-on=any');
    await apt.get('download', 'engine-tools');
    expect(readFileSync(join(apt.root, NAME))).toEqual(sampleDeb());
    await must(forgelog.delete(`/projects/${id}`));
    await apt.get('update', '--error-on=any');
    await expect(apt.get('download', 'engine-tools')).rejects.toThrow('Unable to locate package');
  });

  test.skipIf(!hasDput)('installs what a stock dput uploads with a deploy token', async () => {
    const id = await projectOf('dput');
    const place = `/projects/${id}`;
    const apt = await aptOf(place, '/packages/debian', await deployToken(place, 'read_package_registry'));
    const [login, password] = await deployToken(place, 'write_package_registry');
    const { host, pathname } = new URL(`${forgelog.url}/api/v4${place}/packages/debian`);
    const settings = { method: 'http', fqdn: host, login, incoming: pathname, allow_unsigned_uploads: 1 };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
    writeFileSync(join(apt.root, 'dput.cf'), `[forgelog]\n${lines.join('')}`);
    writeFileSync(join(apt.root, NAME), sampleDeb());
    writeFileSync(join(apt.root, CHANGES), sampleChanges({ [NAME]: sampleDeb() }));
    // Without a terminal of its own it reads the password from where this writes it.
    const dput = spawn('dput', ['-c', 'dput.cf', '-u', 'forgelog', CHANGES], {
      ...{ cwd: apt.root, timeout: 60_000, detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
    });
    dput.stdin!.end(`${password}\n`);
    expect(await once(dput, 'exit')).toEqual([0, null]);
    await apt.get('update', '--error-on=any');
    await apt.get('install', '--yes', 'engine-tools');
    expect(readFileSync(join(apt.root, 'var/lib/dpkg/status'), 'utf8')).toContain('Version: 1.2.0');
  });
});

test('an upload that is cut off is never listed', async () => {
  const id = await projectOf('cut');
  const { hostname, port } = new URL(forgelog.url);
  const deb = sampleDeb();
  const head = [
    `PUT /api/v4/projects/${id}/packages/debian/${NAME}?${IN_MAIN} HTTP/1.1`,
    ...['Host: forgelog', `PRIVATE-TOKEN: ${forgelog.rootToken}`, `Content-Length: ${deb.length}`],
  ].join('\r\n');
  for (const at of [0, 100, deb.length - 1]) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    const sent = Buffer.concat([Buffer.from(`${head}\r\n\r\n`), deb.subarray(0, at)]);
    await new Promise((done) => socket.write(sent, done));
    socket.destroy();
  }
  const listed = `/projects/${id}/packages/debian/dists/bookworm/main/binary-amd64/Packages`;
  expect(await forgelog.get(listed)).toMatchObject({ status: 200, text: '' });
  expect((await put(id, `${NAME}?${IN_MAIN}`, deb)).status).toBe(201);
  expect((await forgelog.get(listed)).text.match(/^Package:/gm)).toHaveLength(1);
  const { id: packageId } = (await forgelog.get(`/projects/${id}/packages?package_type=debian`)).body[0];
  await must(forgelog.delete(`/projects/${id}/packages/${packageId}`));
  expect((await forgelog.get(listed)).text).toBe('');
});
