import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { UserCreated } from '@forgelog/contracts/admin/users/user.events.ts';
import type { EventOf } from '@forgelog/contracts/event.ts';
import { openSqliteEventStore } from '@forgelog/eventing/adapters/sqlite/sqlite-event-store.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { expect, test, vi } from 'vitest';
import { freePorts } from '../../infra/local/free-ports.ts';
import { faultWorld } from '../support/fault-world.ts';

vi.setConfig({ testTimeout: 600_000 });

const EVENTS = 20_000;

async function writeLog(dataDir: string): Promise<void> {
  const store = await openSqliteEventStore({ path: join(dataDir, 'events.db'), synchronous: 'OFF' });
  const appends: Promise<unknown>[] = [];
  const { type, version: schemaVersion } = UserCreated;
  for (let number = 1; number <= EVENTS; number++) {
    // Beyond those that a first start creates.
    const userId = 1_000_000 + number;
    const data: EventOf<typeof UserCreated>['data'] = {
      ...{ userId, namespaceId: 2_000_000 + number },
      ...{ username: `user${number}`, name: `User ${number}`, email: `user${number}@example.org` },
      ...{ admin: false, external: false, bot: false, confirmed: true },
      ...{ passwordHash: null, identities: [], profile: {} },
    };
    const time = '2026-01-01T00:00:00.000Z';
    const event = { id: newEventId(), type, schemaVersion, time, data, metadata: SYSTEM_METADATA };
    appends.push(store.append(`user-${userId}`, 'no-stream', [event]));
  }
  await Promise.all(appends);
  await store.close();
}

test('probes are answered while a long log is read, and say how far it is', async () => {
  const world = await faultWorld();
  await writeLog(world.dataDir);
  const [port] = await freePorts(1);
  const address = `http://127.0.0.1:${port}`;
  const starting = world.tryStart({ environment: { PORT: String(port) } });
  let isOver = false;
  void starting.finally(() => {
    isOver = true;
  });
  const seen: number[] = [];
  let alive = 0;
  let slowestMs = 0;
  let metrics = '';
  while (!isOver) {
    const asked = performance.now();
    const [liveness, readiness] = await Promise.all(
      ['liveness', 'readiness'].map((probe) => fetch(`${address}/-/${probe}`).catch(() => undefined)),
    );
    await liveness?.arrayBuffer();
    if (liveness) slowestMs = Math.max(slowestMs, performance.now() - asked);
    const told = (await readiness?.json().catch(() => undefined)) as
      | { status: string; log?: { position: string; head: string; events: number } }
      | undefined;
    await turn();
    if (told?.status !== 'starting' || !told.log) continue;
    if (liveness?.status === 200) alive++;
    expect(readiness!.status).toBe(503);
    expect(Number(told.log.head)).toBe(EVENTS);
    seen.push(told.log.events);
    if (told.log.events > 0 && !metrics) metrics = await (await fetch(`${address}/-/metrics`)).text();
  }
  const { server } = await starting;
  expect(await server.ready, server.output()).toBe(address);
  // Nothing at all was answered before the log was read to its end.
  expect(alive).toBeGreaterThan(5);
  // What probes wait for by default. On a busy machine the slowest took a quarter of it.
  expect(slowestMs).toBeLessThan(1000);
  expect(new Set(seen).size).toBeGreaterThan(5);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(metrics).toMatch(/^forgelog_replaying 1$/m);
  expect(metrics).toMatch(/^forgelog_events_applied_total [1-9]/m);
  expect((await fetch(`${address}/-/readiness`)).status).toBe(200);
});
