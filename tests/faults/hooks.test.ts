import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { callsTo } from '../support/calls.ts';
import { eventually } from '../support/eventually.ts';
import { faultWorld } from '../support/fault-world.ts';
import { startReceiver } from '../support/hook-receiver.ts';
import { must } from '../support/must.ts';
import { REACHING_LOCAL } from '../support/receiver.ts';

vi.setConfig({ testTimeout: 300_000 });

const program = resolve(import.meta.dirname, '../support/stopping-server.ts');

test('killed between a delivery and its record, a hook is told again by the same id', async () => {
  const world = await faultWorld();
  const receiver = await startReceiver();
  const fault = { FAULT_AT: 'before', FAULT_OF: 'WebHookDelivered' };
  const dying = await world.start({ program, environment: fault });
  const calls = callsTo(dying.address, []);
  await must(calls.put('/application/settings', REACHING_LOCAL));
  await must(calls.post('/projects', { name: 'p' }));
  const flags = { push_events: false, issues_events: true };
  await must(calls.post('/projects/1/hooks', { url: receiver.url, ...flags }));
  // The request is answered before its message is, after which the server ends.
  const answered = Promise.withResolvers<void>();
  receiver.answer = (response) => void answered.promise.then(() => response.end());
  await must(calls.post('/projects/1/issues', { title: 'First' }));
  answered.resolve();
  expect(await dying.ended).toBe('SIGKILL');

  const wrong = await world.inspect(async (again) => {
    const { get, post } = callsTo(again.address, []);
    await must(post('/projects/1/issues', { title: 'Second' }));
    await eventually('all is recorded', async () => must(get('/projects/1/hooks/1/events')), {
      until: (deliveries) => deliveries.length === 2,
    });
    const told = receiver.received.map(({ body }) => body.object_attributes.title);
    expect(told.toSorted()).toEqual(['First', 'First', 'Second']);
    const ofFirst = receiver.received.filter(({ body }) => body.object_attributes.title === 'First');
    expect(new Set(ofFirst.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    return [];
  });
  expect(wrong).toEqual([]);
});
