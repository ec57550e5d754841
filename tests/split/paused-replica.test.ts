import { expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../support/cluster.ts';
import { pausedWriter } from '../support/paused-writer.ts';

test('a paused replica is refused on wake-up, decides again, and nothing happens twice', async () => {
  const paused = pausedWriter();
  const cluster = await startCluster({
    replicas: { tracker: 2 },
    logOf: (store, name) => (name.startsWith('tracker-') ? paused.logOf(store, name) : store),
  });
  onTestFinished(() => cluster.stop());
  const { body: project } = await cluster.post('/projects', { name: 'paused' });
  const { body: issue } = await cluster.post(`/projects/${project.id}/issues`, { title: 'Once' });
  const place = `/projects/${project.id}/issues/${issue.iid}`;
  paused.pause((stream) => stream.startsWith('issue-'));
  const close = () => cluster.put(place, { state_event: 'close' });
  // Several, so that both replicas get one.
  const tries = Array.from({ length: 4 }, close);
  await expect.poll(() => paused.held.length).toBeGreaterThan(0);
  const closed = async () =>
    (await cluster.store.readAll({ after: '', limit: 10_000 })).filter(({ type }) => type === 'IssueClosed');
  await expect.poll(closed).toHaveLength(1);
  paused.wake();
  for (const reply of await Promise.all(tries)) expect(reply.status).toBe(200);
  expect(paused.refused.length).toBeGreaterThan(0);
  expect(await closed()).toHaveLength(1);
  expect((await cluster.get(place)).body.state).toBe('closed');
});
