import { setTimeout as sleep } from 'node:timers/promises';
import type { SettingValues } from '@forgelog/contracts/admin/settings/application-settings.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { scrape } from '../support/metrics.ts';
import { must } from '../support/must.ts';
import { rawRequest } from '../support/raw-request.ts';
import { tryGit } from '../support/stock-git.ts';

/** At the begin of a minute; no window ends unless a test moves it. */
let now = Date.UTC(2031, 0, 1, 12);
let forgelog: Forgelog;
let ada: { id: number; token: string };
let project: { id: number; path_with_namespace: string };
beforeAll(async () => {
  forgelog = await startForgelog({ clock: () => new Date(now) });
  ada = await createUser(forgelog);
  project = await must(
    forgelog.post('/projects', { name: 'open', visibility: 'public', initialize_with_readme: true }),
  );
});
afterAll(() => forgelog.stop());
afterEach(async () => {
  now += 3_600_000;
  const { body } = await forgelog.get('/application/settings');
  const off = Object.keys(body).filter((name) => /^throttle_.*_enabled$/.test(name));
  await set(Object.fromEntries(off.map((name) => [name, false])));
});

const set = (changes: Partial<SettingValues>) => must(forgelog.put('/application/settings', changes));
const throttle = (name: string, requests: number): Partial<SettingValues> => ({
  [`${name}_enabled`]: true,
  [`${name}_requests_per_period`]: requests,
  [`${name}_period_in_seconds`]: 60,
});
const anonymous = { token: null };
const statuses = async (count: number, ask: () => Promise<{ status: number }>) => {
  const all: number[] = [];
  for (let at = 0; at < count; at += 1) all.push((await ask()).status);
  return all;
};

test('who asks too often without credentials is refused until the window ends, and others are not', async () => {
  await set(throttle('throttle_unauthenticated_api', 3));
  const ask = () => forgelog.get(`/projects/${project.id}`, anonymous);
  expect(await statuses(4, ask)).toEqual([200, 200, 200, 429]);
  const { text, headers } = await ask();
  expect(text).toBe('Retry later\n');
  expect(headers.get('content-type')).toMatch(/^text\/plain/);
  const reset = (Math.floor(now / 60_000) + 1) * 60;
  expect(Object.fromEntries([...headers].filter(([name]) => /^ratelimit|^retry/.test(name)))).toEqual({
    'ratelimit-limit': '3',
    'ratelimit-name': 'throttle_unauthenticated_api',
    'ratelimit-observed': '5',
    'ratelimit-remaining': '0',
    'ratelimit-reset': String(reset),
    'ratelimit-resettime': new Date(reset * 1000).toUTCString(),
    'retry-after': String(reset - now / 1000),
  });
  // What does not exist, and tokens that do not, count as well; who is signed in does not.
  expect((await forgelog.get('/nothing', anonymous)).status).toBe(429);
  expect((await forgelog.get('/projects', { token: 'no-such-token' })).status).toBe(429);
  expect((await forgelog.get(`/projects/${project.id}`, { token: ada.token })).status).toBe(200);
  now = reset * 1000;
  expect(await statuses(4, ask)).toEqual([200, 200, 200, 429]);
  const { samples } = await scrape(forgelog.url);
  expect(samples).toContainEqual({
    name: 'forgelog_throttled_requests_total',
    labels: { throttle: 'throttle_unauthenticated_api' },
    value: 5,
  });
});

test('a user is refused wherever they call from, and an administrator can always change settings', async () => {
  await set(throttle('throttle_authenticated_api', 3));
  expect(await statuses(4, () => forgelog.get('/user', { token: ada.token }))).toEqual([200, 200, 200, 429]);
  expect(await statuses(4, () => forgelog.get('/user'))).toEqual([200, 200, 200, 429]);
  expect((await forgelog.put('/application/settings', {}, { token: ada.token })).status).toBe(429);
  await set({ throttle_authenticated_api_enabled: false });
  expect((await forgelog.get('/user', { token: ada.token })).status).toBe(200);
});

test('a refusal comes before the body does', async () => {
  await set({
    ...throttle('throttle_authenticated_api', 1),
    rate_limiting_response_text: 'Come back at noon',
  });
  expect((await forgelog.get('/user', { token: ada.token })).status).toBe(200);
  const head = [
    'POST /api/v4/projects HTTP/1.1',
    `PRIVATE-TOKEN: ${ada.token}`,
    'Content-Type: application/json',
    'Content-Length: 1000000',
  ];
  const { closed } = await rawRequest(forgelog.url, head);
  expect(await closed).toMatch(/^HTTP\/1.1 429 .*Come back at noon\n$/s);
  await set({ rate_limiting_response_text: null });
});

test('git and pages are limited beside the API', async () => {
  await set({
    ...throttle('throttle_unauthenticated_git_http', 2),
    ...throttle('throttle_unauthenticated_web', 3),
  });
  const remote = `${forgelog.url}/${project.path_with_namespace}.git`;
  const fetched = () => tryGit('/', 'ls-remote', remote);
  expect((await fetched()).code).toBe(0);
  // Each asks for the refs, and then names those that it wants.
  expect(await fetched()).toMatchObject({ code: 128, stderr: expect.stringContaining('429') });
  expect(await statuses(4, () => fetch(`${forgelog.url}/-/docs/`))).toEqual([200, 200, 200, 429]);
  expect((await fetch(`${forgelog.url}/-/liveness`)).status).toBe(200);
  expect((await forgelog.get(`/projects/${project.id}`, anonymous)).status).toBe(200);
});

test('single endpoints have limits of their own', async () => {
  await set({
    issues_create_limit: 2,
    notes_create_limit: 2,
    raw_blob_request_limit: 2,
    search_rate_limit: 2,
  });
  const open = () => forgelog.post(`/projects/${project.id}/issues`, { title: 'x' }, { token: ada.token });
  expect(await statuses(3, open)).toEqual([201, 201, 429]);
  const refused = { error: 'This endpoint has been requested too many times. Try again later.' };
  expect((await open()).body).toEqual({ message: refused });
  const { iid } = (await must(forgelog.get(`/projects/${project.id}/issues`)))[0];
  const comment = () =>
    forgelog.post(`/projects/${project.id}/issues/${iid}/notes`, { body: 'x' }, { token: ada.token });
  expect(await statuses(3, comment)).toEqual([201, 201, 429]);
  const raw = `${forgelog.url}/${project.path_with_namespace}/-/raw/main/README.md`;
  expect(await statuses(3, () => fetch(raw))).toEqual([200, 200, 429]);
  expect((await forgelog.get(`/projects/${project.id}/repository/files/README.md/raw?ref=main`)).status).toBe(
    200,
  );
  expect(await statuses(3, () => forgelog.get('/search?scope=projects&search=open'))).toEqual([
    200, 200, 429,
  ]);
  await set({
    issues_create_limit: 0,
    notes_create_limit: 0,
    raw_blob_request_limit: 0,
    search_rate_limit: 0,
  });
  expect((await open()).status).toBe(201);
});

test('a limit that changes under load holds from the next request on', async () => {
  let isOver = false;
  let failures = 0;
  const load = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const { status } = await forgelog.get('/version', { token: ada.token });
        if (status !== 200 && status !== 429) failures += 1;
      }
    }),
  );
  const ask = async () => (await forgelog.get('/version', { token: ada.token })).status;
  for (let times = 0; times < 5; times += 1) {
    await set(throttle('throttle_authenticated_api', 1));
    // The first of the window may be among the others.
    expect([await ask(), await ask()].at(-1)).toBe(429);
    await set({ throttle_authenticated_api_enabled: false });
    expect(await ask()).toBe(200);
    await sleep(10);
  }
  isOver = true;
  await load;
  expect(failures).toBe(0);
});

test('a throttle is set as a whole: protected paths, and the older name of a switch', async () => {
  const without = await forgelog.put('/application/settings', { throttle_protected_paths_enabled: true });
  expect(without.body).toEqual({ message: { protected_paths: ["can't be blank"] } });
  expect((await forgelog.put('/application/settings', { protected_paths: ['runners'] })).body).toEqual({
    message: { protected_paths: ['must begin with /'] },
  });
  const now = await set({ throttle_unauthenticated_enabled: true, protected_paths: ['/api/v4/runners'] });
  expect(now).toMatchObject({
    throttle_unauthenticated_web_enabled: true,
    protected_paths: ['/api/v4/runners'],
  });
  await set(throttle('throttle_protected_paths', 1));
  const verify = () => forgelog.post('/runners/verify', { token: 'none' }, anonymous);
  expect(await statuses(2, verify)).toEqual([403, 429]);
  for (const wrong of [0, -1, 'x'])
    expect(
      (
        await forgelog.put('/application/settings', {
          throttle_unauthenticated_api_requests_per_period: wrong,
        })
      ).status,
    ).toBe(400);
});
