import { auditEvents } from '@forgelog/admin/audit-events/audit-events.projection.ts';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../support/wire.ts';
import { createWorld, type World } from '../support/world.ts';
import { addressOf, bodyOf, inBody, validCall } from './valid-calls.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.forgelog.stop());

/** What the hostile suites spoil must be right before they do. */
test('a valid call of each endpoint succeeds for an administrator, or for a job', async () => {
  const failed: string[] = [];
  for (const endpoint of endpoints) {
    if (endpoint.id.endsWith('event-stream')) continue; // never ends
    const call = await validCall(endpoint, world, world.places.private, { fresh: true });
    const { method, inPath, rest, jobToken } = call;
    const reply = await send(
      world.forgelog,
      method,
      addressOf(endpoint, inPath, inBody(endpoint) ? {} : rest),
      jobToken ? { token: null, headers: { 'JOB-TOKEN': jobToken } } : bodyOf(endpoint, call),
    );
    if (reply.status >= 300 && reply.status !== endpoint.status)
      failed.push(`${endpoint.id} ${reply.status} ${reply.text.slice(0, 300)}`);
  }
  expect(failed).toEqual([]);
});

test('one call is one audit event at most; what follows from it has its own', async () => {
  const made = await world.forgelog.post('/projects', { path: 'with-readme', initialize_with_readme: true });
  expect(made.status).toBe(201);
  const { store, ports } = world.forgelog.system;
  const told = await ports.readStore.find(auditEvents, { limit: 100_000, select: ['eventId'] });
  const audited = new Set(told.map(({ eventId }) => eventId));
  const caused = new Map<string, string[]>();
  for (let after = ''; ; ) {
    const batch = await store.readAll({ after, limit: 1000 });
    if (batch.length === 0) break;
    for (const { id, type, metadata } of batch) {
      const { requestId, causationId } = metadata;
      if (requestId === null || causationId !== null || !audited.has(id)) continue;
      caused.set(requestId, [...(caused.get(requestId) ?? []), type]);
    }
    after = batch.at(-1)!.position;
  }
  expect(caused.size).toBeGreaterThan(30);
  expect([...caused.values()].filter((types) => types.length > 1)).toEqual([]);
});
