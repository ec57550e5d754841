import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { faultWorld } from '../support/fault-world.ts';
import { apiOf } from '../support/mixed-load.ts';

vi.setConfig({ testTimeout: 300_000 });

const program = resolve(import.meta.dirname, '../support/halting-server.ts');

test('a projection that cannot apply an event stops alone, reports the position, and resumes once fixed', async () => {
  const world = await faultWorld();
  const server = await world.start({ program, environment: { FAULT_TITLE: 'Unlucky' } });
  const api = apiOf(server.address);
  const readiness = async () => (await fetch(`${server.address}/-/readiness`)).json();
  await api('POST', '/projects', { name: 'p' });
  await api('POST', '/projects/1/issues', { title: 'Lucky' });
  expect(await readiness()).toEqual({ status: 'ok' });
  await api('POST', '/projects/1/issues', { title: 'Unlucky' });
  const { status, halted } = (await readiness()) as { status: string; halted: { position: string }[] };
  expect(status).toBe('degraded');
  expect(halted).toEqual([{ projection: 'issues', position: expect.stringMatching(/^\d{16}$/) }]);
  await expect.poll(server.output).toContain('projection halted');
  const line = server
    .output()
    .split('\n')
    .find((text) => text.includes('projection halted'))!;
  expect(JSON.parse(line)).toMatchObject({
    projection: 'issues',
    position: halted[0]!.position,
    err: { message: 'a defect' },
  });

  // What is read from other projections goes on; nobody waits for the one that stands still.
  expect((await api('POST', '/projects', { name: 'q' })).status).toBe(201);
  expect((await api('POST', '/projects/1/issues/1/notes', { body: 'A comment' })).status).toBe(201);
  expect((await api('GET', '/projects/1/issues')).body.map(({ title }: { title: string }) => title)).toEqual([
    'Lucky',
  ]);
  expect(await server.stop()).toBe(0);

  const wrong = await world.inspect(async ({ address }) => {
    const { body } = await apiOf(address)('GET', '/projects/1/issues?sort=asc');
    expect(body.map(({ title }: { title: string }) => title)).toEqual(['Lucky', 'Unlucky']);
    expect(body[0].user_notes_count).toBe(1);
    expect(await (await fetch(`${address}/-/readiness`)).json()).toEqual({ status: 'ok' });
    return [];
  });
  expect(wrong).toEqual([]);
});
