import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { faultWorld } from '../support/fault-world.ts';
import { apiOf, ROOT_TOKEN } from '../support/mixed-load.ts';

vi.setConfig({ testTimeout: 900_000 });

const BYTES = 30_000_000;

/** Most resident bytes that a process ever had. */
function peakOf(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kilobytes) * 1024;
}

test('six large commits at once take no more memory than one after the other', async () => {
  const world = await faultWorld();
  const { address, pid, stop } = await world.start();
  const api = apiOf(address);
  expect((await api('POST', '/projects', { name: 'p', initialize_with_readme: true })).status).toBe(201);

  /** Status of a commit with a file of its own; like a client, it waits and comes again where it is told to. */
  async function commit(name: string): Promise<number> {
    const content = randomBytes(BYTES).toString('base64');
    const action = { action: 'create', file_path: name, encoding: 'base64', content };
    const body = Buffer.from(JSON.stringify({ branch: 'main', commit_message: name, actions: [action] }));
    for (;;) {
      const response = await fetch(`${address}/api/v4/projects/1/repository/commits`, {
        method: 'POST',
        headers: { 'PRIVATE-TOKEN': ROOT_TOKEN, 'Content-Type': 'application/json' },
        body,
      });
      await response.arrayBuffer();
      const after = response.headers.get('retry-after');
      if (response.status !== 503 || after === null) return response.status;
      await sleep(Number(after) * 1000);
    }
  }

  const idle = peakOf(pid);
  expect(await commit('first')).toBe(201);
  expect(await commit('second')).toBe(201);
  const apart = peakOf(pid) - idle;
  const names = Array.from({ length: 6 }, (_, at) => `together-${at}`);
  expect(await Promise.all(names.map(commit))).toEqual(names.map(() => 201));
  const together = peakOf(pid) - idle;
  const { body } = await api('GET', '/projects/1/repository/tree');
  expect(body).toHaveLength(9);
  expect(await stop()).toBe(0);
  expect(apart).toBeGreaterThan(BYTES);
  expect(together / apart).toBeLessThan(2);
});
