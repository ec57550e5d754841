import { type EventStore, WrongExpectedRevisionError } from '@forgelog/eventing/event-store.ts';
import { expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../support/cluster.ts';

/** Holds the appends of the replica that decides first between its decision and the log, as a long pause would. */
function pausing() {
  let gate: PromiseWithResolvers<void> | null = null;
  let first: string | undefined;
  const held: string[] = [];
  const refused: string[] = [];
  const logOf = (store: EventStore, replica: string): EventStore => ({
    ...store,
    async append(stream, expected, events) {
      if (gate && stream.startsWith('issue-')) {
        first ??= replica;
        if (first === replica) {
          held.push(stream);
          await gate.promise;
        }
      }
      return store.append(stream, expected, events).catch((error: unknown) => {
        if (error instanceof WrongExpectedRevisionError) refused.push(stream);
        throw error;
      });
    },
  });
  return {
    logOf,
    held,
    refused,
    pause: () => {
      gate = Promise.withResolvers<void>();
    },
    wake: () => gate?.resolve(),
  };
}

test('a paused replica is refused on wake-up, decides again, and nothing happens twice', async () => {
  const paused = pausing();
  const cluster = await startCluster({
    replicas: { tracker: 2 },
    logOf: (store, name) => (name.startsWith('tracker-') ? paused.logOf(store, name) : store),
  });
  onTestFinished(() => cluster.stop());
  const { body: project } = await cluster.post('/projects', { name: 'paused' });
  const { body: issue } = await cluster.post(`/projects/${project.id}/issues`, { title: 'Once' });
  const place = `/projects/${project.id}/issues/${issue.iid}`;
  paused.pause();
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
