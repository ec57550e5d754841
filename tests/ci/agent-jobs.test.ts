import { expect, test } from 'vitest';
import { startBuilt } from '../support/built-project.ts';
import { settleMember, settleUser } from '../support/inhabitants.ts';

const idsOf = ({ body }: { body: { id: number }[] }) => body.map(({ id }) => id);

test('the token of a running job shows its job, and no other credentials do', async () => {
  const { forgelog, runner } = await startBuilt('build: {script: [make], parallel: 2}');
  const [one, two] = [(await runner.request())!, (await runner.request())!];
  const shown = (headers: Record<string, string>, query = '') =>
    forgelog.get(`/job${query}`, { token: null, headers });
  for (const job of [one, two, one, two]) {
    const { status, body } = await shown({ 'JOB-TOKEN': job.token });
    expect([status, body.id, body.name, body.runner.id]).toEqual([200, job.id, job.job_info.name, runner.id]);
  }
  expect((await shown({}, `?job_token=${two.token}`)).body.id).toBe(two.id);
  expect((await forgelog.get('/job')).body).toEqual({ message: '404 Job Not Found' });
  expect((await shown({})).status).toBe(401);
  await runner.update(one, { state: 'success' });
  expect((await shown({ 'JOB-TOKEN': one.token })).status).toBe(401);
});

test('the jobs of a runner are shown to those who may change it, as far as they see them', async () => {
  const { forgelog, project, runner } = await startBuilt('build: {script: [make], parallel: 3}');
  const other = await startBuilt('hidden: {script: [make]}', { forgelog });
  await forgelog.post(`/projects/${other.project.id}/runners`, { runner_id: runner.id });
  const jobs = [];
  for (let job = await runner.request(); job; job = await runner.request()) jobs.push(job);
  const [first] = jobs;
  const hidden = jobs.find(({ job_info }) => job_info.name === 'hidden')!;
  await runner.update(first!, { state: 'success' });
  const newestFirst = jobs.map(({ id }) => id).sort((a, b) => b - a);

  const path = `/runners/${runner.id}/jobs`;
  expect(idsOf(await forgelog.get(path))).toEqual(newestFirst);
  expect(idsOf(await forgelog.get(`${path}?sort=asc&order_by=id`))).toEqual(newestFirst.toReversed());
  expect(idsOf(await forgelog.get(`${path}?status=success`))).toEqual([first!.id]);
  expect((await forgelog.get(`${path}?status=other`)).status).toBe(400);
  const maintainer = await settleUser(forgelog, 'maintainer');
  await settleMember(forgelog, project.id, maintainer, 40);
  expect(idsOf(await forgelog.get(path, maintainer.as))).toEqual(
    newestFirst.filter((id) => id !== hidden.id),
  );
  const developer = await settleUser(forgelog, 'developer');
  await settleMember(forgelog, project.id, developer, 30);
  expect((await forgelog.get(path, developer.as)).status).toBe(403);
  expect((await forgelog.get('/runners/999/jobs')).status).toBe(404);
});
