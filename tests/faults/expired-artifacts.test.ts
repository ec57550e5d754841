import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { zipOf } from '@forgelog/ci/testing/sample-archive.ts';
import { expect, test } from 'vitest';
import { callsBy, callsTo } from '../support/calls.ts';
import { eventually } from '../support/eventually.ts';
import { faultWorld } from '../support/fault-world.ts';
import { registerRunner } from '../support/protocol-runner.ts';
import { createRandom, faultRounds, faultSeed } from '../support/random.ts';
import { verify } from '../support/verify.ts';

const EXPIRING = 40;

test('a server killed while artifacts expire deletes all that expired, and nothing else', async () => {
  const world = await faultWorld();
  const random = createRandom(faultSeed);
  const archive = new Blob([Uint8Array.from(await zipOf({ 'out/a.txt': 'made' }))]);
  let server = await world.start();
  const calls = callsBy((...call) => callsTo(server.address, []).call(...call));

  const { body: project } = await calls.post('/projects', { name: 'built' });
  const of = `/projects/${project.id}`;
  await calls.put(of, { keep_latest_artifact: false });
  const content = `brief: {script: [make], parallel: ${EXPIRING}}\nlasting: {script: [make]}`;
  await calls.post(`${of}/repository/files/.gitlab-ci.yml`, {
    ...{ branch: 'main', commit_message: 'Configure', content },
  });
  await eventually('the jobs are pending', () => calls.get(`${of}/jobs?scope[]=pending&per_page=100`), {
    until: ({ body }) => body.length === EXPIRING + 1,
  });
  const runner = await registerRunner(calls, project.runners_token);
  const expiring: number[] = [];
  let lasting = 0;
  for (let job = await runner.request(); job; job = await runner.request()) {
    const isLasting = job.job_info.name === 'lasting';
    if (isLasting) lasting = job.id;
    else expiring.push(job.id);
    const form = new FormData();
    form.append('file', archive, 'artifacts.zip');
    const expiry = isLasting ? 'never' : '1 sec';
    const path = `/jobs/${job.id}/artifacts?artifact_type=archive&artifact_format=zip&expire_in=${expiry}`;
    const headers = { 'JOB-TOKEN': job.token };
    expect((await calls.call('POST', path, { token: null, body: form, headers })).status).toBe(201);
    expect((await runner.update(job, { state: 'success' })).status).toBe(200);
  }
  expect(expiring.length).toBe(EXPIRING);
  const last = (await calls.get(`${of}/jobs/${expiring.at(-1)}`)).body.artifacts_expire_at;
  await eventually('the last artifacts expire', async () => Date.now(), {
    until: (now) => now > Date.parse(last),
  });

  // A server sweeps when it starts.
  for (let kill = 0; kill < faultRounds(4); kill += 1) {
    await server.killAll();
    server = await world.start();
    await new Promise((resolve) => setTimeout(resolve, random.below(100)));
  }
  const archives = async () => {
    const files = await readdir(join(world.dataDir, 'objects'), { recursive: true });
    return files.filter((file) => /archive/.test(file) && /[0-9a-f]{64}/.test(file));
  };
  await eventually(`only what lasts is stored, seed ${faultSeed}`, archives, {
    until: ({ length }) => length === 1,
  });
  const statusOf = async (job: number) => (await calls.get(`${of}/jobs/${job}/artifacts`)).status;
  expect([...new Set(await Promise.all(expiring.map(statusOf)))]).toEqual([404]);
  expect(await statusOf(lasting)).toBe(200);
  expect(await server.stop()).toBe(0);
  expect((await verify(world.dataDir)).problems).toEqual([]);
}, 600_000);
