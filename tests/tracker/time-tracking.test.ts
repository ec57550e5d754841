import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { settleProject } from '../support/inhabitants.ts';

let forgelog: Forgelog;
let path: string;

beforeAll(async () => {
  forgelog = await startForgelog();
  const projectId = await settleProject(forgelog, 'timed', { visibility: 'public' });
  path = `/projects/${projectId}/issues/1`;
  await forgelog.post(`/projects/${projectId}/issues`, { title: 'x' });
});
afterAll(() => forgelog.stop());

const post = (action: string, body: object = {}) => forgelog.post(`${path}/${action}`, body);
const stats = (estimate: number, spent: number, human: (string | null)[]) => ({
  time_estimate: estimate,
  total_time_spent: spent,
  human_time_estimate: human[0],
  human_total_time_spent: human[1],
});

test('time is estimated, spent, taken back and reset', async () => {
  expect(await post('time_estimate', { duration: '3h30m' })).toMatchObject({
    status: 200,
    body: stats(12_600, 0, ['3h 30m', null]),
  });
  expect(await post('add_spent_time', { duration: '1mo 1w 1d', summary: 'hard work' })).toMatchObject({
    status: 201,
    body: stats(12_600, 748_800, ['3h 30m', '1mo 1w 1d']),
  });
  expect((await post('add_spent_time', { duration: '-1mo' })).body).toEqual(
    stats(12_600, 172_800, ['3h 30m', '1w 1d']),
  );
  const { body } = await forgelog.get(`${path}/time_stats`, { token: null });
  expect(body).toEqual(stats(12_600, 172_800, ['3h 30m', '1w 1d']));
  expect((await forgelog.get(path)).body.time_stats).toEqual(body);
  expect(await post('reset_spent_time')).toMatchObject({
    status: 200,
    body: stats(12_600, 0, ['3h 30m', null]),
  });
  expect(await post('reset_time_estimate')).toMatchObject({ status: 200, body: stats(0, 0, [null, null]) });
});

test('what is no duration, too much or less than nothing changes nothing', async () => {
  await post('add_spent_time', { duration: '1h' });
  const before = (await forgelog.get(`${path}/time_stats`)).body;
  for (const action of ['time_estimate', 'add_spent_time']) {
    expect((await post(action)).body).toEqual({ error: 'duration is missing' });
    expect((await post(action, { duration: '' })).body).toEqual({ error: 'duration is empty' });
    expect((await post(action, { duration: 'soon' })).body).toEqual({ error: 'duration is invalid' });
    expect(await post(action, { duration: '999999999mo' })).toMatchObject({ status: 400 });
  }
  expect((await post('add_spent_time', { duration: '-1h1s' })).body).toEqual({
    message: { base: ['Time to subtract exceeds the total time spent'] },
  });
  expect((await post('time_estimate', { duration: '-1h' })).status).toBe(400);
  expect((await forgelog.get(`${path}/time_stats`)).body).toEqual(before);
});

test('all that is booked at once counts', async () => {
  await post('reset_spent_time');
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => post('add_spent_time', { duration: '1m' })),
  );
  expect(replies.every(({ status }) => status === 201)).toBe(true);
  expect((await forgelog.get(`${path}/time_stats`)).body.total_time_spent).toBe(1200);
});

test('what is not there has no time', async () => {
  const absent = path.replace(/1$/, '99');
  expect((await forgelog.get(`${absent}/time_stats`)).body).toEqual({ message: '404 Not found' });
  expect((await forgelog.post(`${absent}/time_estimate`, { duration: '1h' })).body).toEqual({
    message: '404 Not found',
  });
});
