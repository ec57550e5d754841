import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
  const { commands } = forgelog.system.ports;
  await commands.append(
    'project-7',
    'no-stream',
    [
      {
        type: 'ProjectCreated',
        data: {
          projectId: 7,
          namespaceId: 1,
          ownerId: 1,
          creatorId: 1,
          name: 'p',
          path: 'p',
          fullPath: 'root/p',
          description: null,
          visibility: 'private',
          defaultBranch: null,
          settings: {},
        },
      },
    ],
    SYSTEM_METADATA,
  );
});
afterAll(() => forgelog.stop());

const period = { freeze_start: '0 23 * * 5', freeze_end: '0 8 * * 1', cron_timezone: 'Europe/Berlin' };

test('a period is created, read, listed, changed and deleted', async () => {
  const created = await forgelog.post('/projects/root%2Fp/freeze_periods', period);
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject(period);
  const path = `/projects/7/freeze_periods/${created.body.id}`;
  expect((await forgelog.get(path)).body).toEqual(created.body);
  const list = await forgelog.get('/projects/7/freeze_periods');
  expect(list.body).toEqual([created.body]);
  expect(list.headers.get('x-total')).toBe('1');
  const changed = await forgelog.put(path, { freeze_end: '0 9 * * 1' });
  expect(changed.body).toMatchObject({ ...period, freeze_end: '0 9 * * 1' });
  expect((await forgelog.delete(path)).status).toBe(204);
  expect((await forgelog.get(path)).status).toBe(404);
});

test('what is wrong is said and changes nothing', async () => {
  const head = await forgelog.system.store.head();
  const missing = await forgelog.post('/projects/7/freeze_periods', {});
  expect(missing).toMatchObject({
    status: 400,
    body: { error: 'freeze_start is missing, freeze_end is missing' },
  });
  const wrong = await forgelog.post('/projects/7/freeze_periods', {
    ...period,
    freeze_start: 'x',
    cron_timezone: 'Mars',
  });
  expect(wrong.body.message).toEqual({
    freeze_start: ['is invalid syntax'],
    cron_timezone: ['is invalid syntax'],
  });
  expect((await forgelog.get('/projects/7/freeze_periods', { token: null })).status).toBe(401);
  expect((await forgelog.get('/projects/8/freeze_periods')).body).toEqual({
    message: '404 Project Not Found',
  });
  expect((await forgelog.get('/projects/7/nonsense')).body).toEqual({ error: '404 Not Found' });
  expect((await forgelog.call('PATCH', '/projects/7/freeze_periods')).body).toEqual({
    error: '405 Not Allowed',
  });
  const appended = await forgelog.system.store.readAll({ after: head, limit: 9 });
  expect(appended.length).toBeLessThanOrEqual(1);
});
