import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { callsTo } from '../support/calls.ts';
import { faultWorld } from '../support/fault-world.ts';

vi.setConfig({ testTimeout: 300_000 });

const program = resolve(import.meta.dirname, '../support/stopping-server.ts');
const address = '/projects/1/packages/generic/tools/1.0/a.txt';
const bytes = Buffer.alloc(100_000, 7);

test.each([
  { at: 'before', of: 'PackageCreated', files: 0, objects: 1 },
  { at: 'after', of: 'PackageCreated', files: 1, objects: 1 },
])('killed $at $of, a file is whole or absent, and the same call takes it', async ({ at, of, ...left }) => {
  const world = await faultWorld();
  const server = await world.start();
  expect((await callsTo(server.address, []).post('/projects', { name: 'p' })).status).toBe(201);
  await server.stop();
  const dying = await world.start({ program, environment: { FAULT_AT: at, FAULT_OF: of } });
  await expect(callsTo(dying.address, []).call('PUT', address, { body: bytes })).rejects.toThrow();
  expect(await dying.ended).toBe('SIGKILL');
  const stored = await readdir(join(world.dataDir, 'objects'), { recursive: true });
  expect(stored.filter((file) => /[0-9a-f]{64}$/.test(file))).toHaveLength(left.objects);
  const wrong = await world.inspect(async (again) => {
    const calls = callsTo(again.address, []);
    const filesOf = async (id: number) => (await calls.get(`/projects/1/packages/${id}/package_files`)).body;
    const { body: before } = await calls.get('/projects/1/packages');
    expect(before).toHaveLength(left.files);
    if (left.files > 0) expect(await filesOf(before[0].id)).toMatchObject([{ size: bytes.length }]);
    expect((await calls.call('PUT', address, { body: bytes })).status).toBe(201);
    const { body: packages } = await calls.get('/projects/1/packages');
    expect(packages).toHaveLength(1);
    expect(await filesOf(packages[0].id)).toHaveLength(left.files + 1);
    expect((await calls.get(address)).text).toBe(bytes.toString());
    return [];
  });
  expect(wrong).toEqual([]);
});
