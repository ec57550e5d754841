import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteReadStore } from '@forgelog/eventing/adapters/sqlite/sqlite-read-store.ts';
import { dumpHash } from '@forgelog/eventing/rebuild.ts';
import { expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../support/cluster.ts';

test('a second tracker begins from a copy of the first, and answers like it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'copied-replica-'));
  const begun: { name: string; after: string }[] = [];
  const cluster = await startCluster({
    storesOf: async (stores, name) => {
      if (!name.startsWith('tracker-')) return stores;
      return {
        ...stores,
        readStore: await openSqliteReadStore({ path: join(folder, name, 'read-models.db') }),
      };
    },
    logOf: (store, name) => ({
      ...store,
      subscribe(asked) {
        begun.push({ name, after: asked.after });
        return store.subscribe(asked);
      },
    }),
  });
  onTestFinished(async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true });
  });
  const { body: project } = await cluster.post('/projects', { name: 'copied' });
  const issues = `/projects/${project.id}/issues`;
  const open = (title: string) =>
    cluster.post(issues, { title, description: 'd'.repeat(2000), labels: 'a,b' });
  await Promise.all(Array.from({ length: 40 }, (_, at) => open(`Issue ${at}`)));

  // Writes go on while it starts.
  const [second] = await Promise.all([
    cluster.startReplica('tracker'),
    ...Array.from({ length: 20 }, (_, at) => open(`Later ${at}`)),
  ]);
  const [first] = cluster.replicas.tracker;
  const places = begun.filter(({ name }) => name === 'tracker-1').map(({ after }) => after);
  // Its policies have a lease in a register, so nothing of it reads the log from the beginning.
  expect(places).toEqual([expect.stringMatching(/./)]);
  for (const { projectors } of [first!, second]) await projectors.barrier();
  const hashes = [first!, second].map(({ ports, projections }) =>
    dumpHash(
      ports.readStore,
      projections.flatMap(({ collections }) => collections),
    ),
  );
  const [ofFirst, ofSecond] = await Promise.all(hashes);
  expect(ofSecond).toBe(ofFirst);
});
