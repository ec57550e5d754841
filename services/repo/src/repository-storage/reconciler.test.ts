import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemoryReadStore } from '@forgelog/eventing/adapters/memory/memory-read-store.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { projects } from '../projects/project.collection.ts';
import { createReconciler } from './reconciler.ts';
import { repositoryLogEnd } from './repository-refs.projection.ts';

test('a failure to mark a clean stop does not prevent the shutdown', async () => {
  const root = mkdtempSync(join(tmpdir(), 'reconciler-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const readStore = openMemoryReadStore();
  await readStore.declare([projects, repositoryLogEnd]);
  const warn = vi.fn();
  const ports = { root, readStore, storages: { own: 'default' }, log: { warn }, git: {}, repositories: {} };
  const reconciler = createReconciler(ports as unknown as Parameters<typeof createReconciler>[0]);
  expect(await reconciler.start()).toBe(0);
  mkdirSync(join(root, 'clean-stop'));
  await reconciler.stopped();
  expect(warn).toHaveBeenCalledOnce();
});
