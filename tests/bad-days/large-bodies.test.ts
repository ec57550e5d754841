import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
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

/** A project, and commits to it with a file each. Like a client they wait, and come again where they are told to. */
async function committing(address: string) {
  const api = apiOf(address);
  expect((await api('POST', '/projects', { name: 'p', initialize_with_readme: true })).status).toBe(201);
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
  return { api, commit };
}

test('twelve large commits at once have their turns in memory', async () => {
  const world = await faultWorld();
  const { address, pid, stop } = await world.start();
  const { api, commit } = await committing(address);
  const idle = peakOf(pid);
  const names = Array.from({ length: 12 }, (_, at) => `together-${at}`);
  expect(await Promise.all(names.map(commit))).toEqual(names.map(() => 201));
  const grown = peakOf(pid) - idle;
  const { body } = await api('GET', '/projects/1/repository/tree');
  expect(body).toHaveLength(13);
  expect(await stop()).toBe(0);
  expect(grown).toBeGreaterThan(BYTES);
  // In turns they take 16 to 20 times a file, like a few one after the other; without turns 42 times.
  expect(grown).toBeLessThan(28 * BYTES);
});

test('readers of a large file in JSON who take their time hold little of it in memory', async () => {
  const world = await faultWorld();
  const { address, pid, stop } = await world.start();
  const { commit } = await committing(address);
  expect(await commit('large')).toBe(201);
  // Forgets the peak of the commit.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const before = peakOf(pid);
  const read = async () => {
    const response = await fetch(`${address}/api/v4/projects/1/repository/files/large?ref=main`, {
      headers: { 'PRIVATE-TOKEN': ROOT_TOKEN },
    });
    expect(response.status).toBe(200);
    return response;
  };
  // All have the head of their answer before the first one reads on.
  const open = await Promise.all(Array.from({ length: 8 }, read));
  const grown = peakOf(pid) - before;
  for (const response of open) {
    const { size, content } = (await response.json()) as { size: number; content: string };
    expect([size, Buffer.from(content, 'base64').length]).toEqual([BYTES, BYTES]);
  }
  expect(await stop()).toBe(0);
  // Held as a whole, the files of eight readers and their base64 are 19 times as large. V8 keeps dead buffers (ADR 67).
  expect(grown).toBeLessThan(10 * BYTES);
});
