import { zipOf } from '@forgelog/ci/testing/sample-archive.ts';
import { ObjectStoreUnavailableError } from '@forgelog/object-store/object-store.ts';
import { expect, test, vi } from 'vitest';
import { startBuilt, statusesOf } from '../support/built-project.ts';
import { forgelogForTest } from '../support/forgelog.ts';

const AWAY = 'the object store cannot be used now';

test('a job waits for the object store at every step, and loses nothing', async () => {
  const { forgelog, project, runner } = await startBuilt(
    'build: {script: [make], artifacts: {paths: [out/]}}',
  );
  const { objects } = forgelog.portsOf('ci');
  const whileAway = async <T>(step: () => Promise<T>): Promise<T> => {
    const spies = (['get', 'put', 'stat', 'append'] as const).map((method) =>
      vi.spyOn(objects, method).mockRejectedValue(new ObjectStoreUnavailableError('full')),
    );
    try {
      return await step();
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  };
  const refused = async (step: () => Promise<{ status: number; text: string }>) => {
    const { status, text } = await whileAway(step);
    expect([status, text]).toEqual([503, expect.stringContaining(AWAY)]);
  };

  await expect(whileAway(() => runner.request())).rejects.toThrow(AWAY);
  expect(await statusesOf(forgelog, project)).toEqual({ build: 'pending' });
  const job = (await runner.request())!;
  const archive = await zipOf({ 'out/a.txt': 'made' });
  const done = { state: 'success', output: { bytesize: 9 } };
  await refused(() => runner.trace(job, 0, 'all of '));
  expect((await runner.trace(job, 0, 'all of ')).status).toBe(202);
  await refused(() => runner.upload(job, archive));
  expect((await runner.upload(job, archive)).status).toBe(201);
  await refused(() => runner.update(job, done));
  expect(await statusesOf(forgelog, project)).toEqual({ build: 'running' });
  expect((await runner.trace(job, 7, 'it')).status).toBe(202);
  expect((await runner.update(job, done)).status).toBe(200);

  const of = `/projects/${project.id}/jobs/${job.id}`;
  expect((await forgelog.get(`${of}/trace`)).text).toBe('all of it');
  expect((await forgelog.get(`${of}/artifacts/out/a.txt`)).text).toBe('made');
});

test('where artifacts are switched off an upload is refused, and the job goes on', async () => {
  const environment = { CI_ARTIFACTS: 'off', CI_LONG_POLL_SECONDS: '30' };
  const { forgelog, project, runner } = await startBuilt(
    'build: {script: [make], artifacts: {paths: [out/]}}',
    { forgelog: await forgelogForTest({ environment }) },
  );
  const job = (await runner.request())!;
  const refused = await runner.upload(job, await zipOf({ 'out/a.txt': 'made' }));
  expect([refused.status, refused.body]).toEqual([405, { message: '405 Method Not Allowed' }]);
  const asked = { token: job.token, filesize: 1 };
  expect((await forgelog.post(`/jobs/${job.id}/artifacts/authorize`, asked, { token: null })).status).toBe(
    405,
  );
  expect((await runner.update(job, { state: 'success' })).status).toBe(200);
  expect(await statusesOf(forgelog, project)).toEqual({ build: 'success' });
});
