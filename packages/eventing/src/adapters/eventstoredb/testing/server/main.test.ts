import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'eventstore-dev-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(environment: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DATA_DIR: join(folder, 'data'), PORT: '0', ...environment },
  });
  return { child, exit: once(child, 'exit') };
}

test('prints its URL, keeps its data, and ends on SIGTERM with connected clients', async () => {
  for (const revision of [0n, 1n]) {
    const { child, exit } = start({});
    const [url] = await once(child.stdout, 'data');
    expect(String(url)).toMatch(/^esdb:\/\/127\.0\.0\.1:\d+\?tls=false\n$/);
    const client = EventStoreDBClient.connectionString(String(url).trim());
    const appended = client.appendToStream('a-1', jsonEvent({ type: 'Happened', data: {} }));
    expect(await appended).toMatchObject({ nextExpectedRevision: revision });
    const subscription = client.subscribeToAll();
    const dropped = once(subscription, 'error').catch((error: unknown) => [error]);
    await once(subscription, 'data');
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    await dropped;
    await client.dispose();
  }
});

test('reports an invalid port', async () => {
  const { child, exit } = start({ PORT: 'x' });
  const [message] = await once(child.stderr, 'data');
  expect(String(message)).toContain('PORT x is no port');
  expect(await exit).toEqual([1, null]);
});
