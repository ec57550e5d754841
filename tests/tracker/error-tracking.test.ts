import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as sentry from '@sentry/node';
import { expect, onTestFinished, test } from 'vitest';
import { forgelogForTest, startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';
import { clientKeyOf, reportErrors } from '../support/reported-errors.ts';

/** A stock SDK, which knows nothing of this product: a client of its own, so that it changes nothing in the process. */
function programWith(dsn: string) {
  const { defaultStackParser: stackParser, makeNodeTransport: transport } = sentry;
  const statuses: number[] = [];
  const client = new sentry.NodeClient({
    ...{ dsn, stackParser, integrations: [], release: 'engine@1.2.0', environment: 'production' },
    transport(options) {
      const { send, ...rest } = transport(options);
      return { ...rest, send: (envelope) => send(envelope).then(noted) };
    },
  });
  const noted = (answer: unknown) => {
    const answered = (answer ?? {}) as { statusCode?: number };
    statuses.push(answered.statusCode ?? 0);
    return answered;
  };
  onTestFinished(async () => void (await client.close(2_000)));
  return {
    statuses,
    /** Reports an error and waits for the answer. */
    async capture(error: Error, scope = new sentry.Scope()): Promise<number> {
      client.captureException(error, {}, scope);
      await client.flush(10_000);
      return statuses.at(-1)!;
    },
  };
}

function turnCrank(turns: number): Error {
  return new TypeError(`crank 17 cannot turn ${turns} times, password=hunter2`);
}

test('errors of a program with a stock SDK are listed, resolved, and open again when seen again', async () => {
  const forgelog = await forgelogForTest();
  const { id } = await must(forgelog.post('/projects', { path: 'program', visibility: 'private' }));
  const project = `/projects/${id}`;
  const public_key = await clientKeyOf(forgelog, project);
  const [{ sentry_dsn }] = await must(forgelog.get(`${project}/error_tracking/client_keys`));
  const program = programWith(sentry_dsn);
  const errors = `${project}/error_tracking/errors`;

  const scope = new sentry.Scope();
  scope.setUser({ email: 'ada@example.org' });
  scope.setTag('shift', 'night');
  expect(await program.capture(turnCrank(3), scope)).toBe(200);
  const [error, ...others] = await must(forgelog.get(errors));
  expect(others).toEqual([]);
  expect(error).toMatchObject({
    ...{ project_id: id, status: 'unresolved', count: 1, type: 'TypeError', level: 'error' },
    title: 'TypeError: crank 17 cannot turn 3 times, password=[Filtered]',
    culprit: expect.stringContaining('turnCrank'),
    ...{ release: 'engine@1.2.0', environment: 'production' },
  });
  const one = `${errors}/${error.id}`;
  const { text, body } = await forgelog.get(one);
  expect(text).not.toMatch(/hunter2|ada@example/);
  expect(body.occurrence).toMatchObject({ tags: { shift: 'night' } });
  expect(body.occurrence.exceptions[0].frames.at(-1)).toMatchObject({ function: 'turnCrank' });

  // The same with another number, and another error.
  await program.capture(turnCrank(4));
  await expect.poll(async () => (await forgelog.get(one)).body.count, { timeout: 20_000 }).toBe(2);
  await program.capture(new RangeError('out of steam'));
  expect(await must(forgelog.get(`${errors}?order_by=first_seen&sort=asc`))).toMatchObject([
    { id: error.id },
    { title: 'RangeError: out of steam' },
  ]);

  await must(forgelog.put(one, { status: 'resolved' }));
  expect((await must(forgelog.get(`${errors}?status=unresolved`))).length).toBe(1);
  await program.capture(turnCrank(5));
  expect(await must(forgelog.get(one))).toMatchObject({ status: 'unresolved', count: 3 });

  await must(forgelog.put(one, { status: 'ignored' }));
  await program.capture(turnCrank(6));
  expect(await must(forgelog.get(one))).toMatchObject({ status: 'ignored' });
  // Larger than what the SDK sends unpacked.
  expect(await program.capture(new Error('steam '.repeat(20_000)))).toBe(200);

  // A page of another site reports as well.
  const report = `${forgelog.url}/api/v4/error_tracking/collector/api/${id}/envelope/?sentry_key=${public_key}`;
  const fromPage = await fetch(report, {
    method: 'POST',
    headers: { Origin: 'https://shop.example.org', 'Content-Type': 'text/plain;charset=UTF-8' },
    body: '{}\n{"type":"event"}\n{"message":"no crank on this page"}',
  });
  expect(fromPage.status).toBe(200);
  expect(fromPage.headers.get('access-control-allow-origin')).toBe('*');
  expect(fromPage.headers.get('access-control-expose-headers')).toContain('X-Sentry-Rate-Limits');

  const off = { active: false, integrated: true };
  await must(forgelog.call('PATCH', `${project}/error_tracking/settings`, { json: off }));
  expect(await program.capture(turnCrank(7))).toBe(404);
});

test('occurrences that were counted are written at a stop', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'forgelog-errors-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const first = await startForgelog({ dataDir });
  const { id } = await must(first.post('/projects', { path: 'program' }));
  await reportErrors(first, `/projects/${id}`, ...Array.from({ length: 20 }, () => 'crank is stuck'));
  await first.stop();
  const second = await startForgelog({ dataDir });
  onTestFinished(() => second.stop());
  expect(await must(second.get(`/projects/${id}/error_tracking/errors`))).toMatchObject([{ count: 20 }]);
});
