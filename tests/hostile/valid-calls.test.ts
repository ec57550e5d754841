import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf, inBody, validCall } from './valid-calls.ts';
import { send } from './wire.ts';
import { createWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.forgelog.stop());

/** What the hostile suites spoil must be right before they do. */
test('a valid call of each endpoint succeeds for an administrator', async () => {
  const failed: string[] = [];
  for (const endpoint of endpoints) {
    if (endpoint.id === 'event-stream') continue; // never ends
    const { method, inPath, rest } = await validCall(endpoint, world, world.places.private, { fresh: true });
    const body = inBody(method);
    const reply = await send(
      world.forgelog,
      method,
      addressOf(endpoint, inPath, body ? {} : rest),
      body ? { json: rest } : {},
    );
    if (reply.status >= 300) failed.push(`${endpoint.id} ${reply.status} ${reply.text.slice(0, 300)}`);
  }
  expect(failed).toEqual([]);
});
