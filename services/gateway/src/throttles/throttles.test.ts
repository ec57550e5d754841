import type { SettingValues } from '@forgelog/contracts/admin/settings/application-settings.ts';
import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { createMetrics } from '@forgelog/service-kit/telemetry/metrics.ts';
import { expect, test } from 'vitest';
import type { RequestRecord } from '../request-record.ts';
import { createThrottleCounts } from './throttle-counts.ts';
import type { ThrottledRequest } from './throttle-rules.ts';
import { createThrottles } from './throttles.ts';

/** 17 s into a minute. */
const NOW = Date.UTC(2021, 8, 1, 12, 0, 17);

const ada = { userId: 7, username: 'Ada', isAdmin: false, onBehalfBy: null } as Principal;
const root = { userId: 1, username: 'root', isAdmin: true, onBehalfBy: null } as Principal;
const grace = { ...ada, userId: 8, username: 'grace' };

interface Asked {
  kind?: ThrottledRequest['kind'];
  method?: string;
  path?: string;
  id?: string;
  by?: Principal | null;
  from?: string;
  params?: Record<string, string>;
}

/** Throttles over settings and a clock that a test moves. */
function throttling(set: Partial<SettingValues>, callers?: number) {
  const world = { set, now: NOW };
  const metrics = createMetrics();
  const throttles = createThrottles({
    directory: { settings: () => world.set },
    counts: createThrottleCounts(() => world.now, undefined, callers),
    log: createLogger({ LOG_LEVEL: 'silent' }),
    metrics,
    now: () => world.now,
  });
  /** What a request is refused with, undefined where it is admitted. */
  function ask({
    kind = 'api',
    method = 'GET',
    path = '/api/v4/x',
    id,
    by = null,
    from,
    params,
  }: Asked = {}) {
    const endpoint = endpoints.find((one: AnyEndpoint) => one.id === id);
    if (id && !endpoint) throw new Error(`no endpoint ${id}`);
    const record = { requestId: 'r', path, clientAddress: from ?? '192.0.2.1' } as RequestRecord;
    try {
      const waiting = throttles.admit(kind, { method, record, principal: by, endpoint, pathParams: params });
      if (waiting) throw new Error('one gateway waits for nobody');
      return undefined;
    } catch (error) {
      const { status, headers, body } = error as {
        status: number;
        headers: Record<string, string>;
        body: unknown;
      };
      if (status !== 429) throw error;
      return { name: headers['RateLimit-Name']!, headers, body };
    }
  }
  /** The name of the throttle that refuses one of so many requests and how many came before, null if none does. */
  function refusedAfter(asked: Asked, most = 20): [number, string] | null {
    for (let times = 0; times < most; times += 1) {
      const refused = ask(asked);
      if (refused) return [times, refused.name];
    }
    return null;
  }
  return Object.assign(world, { ask, refusedAfter, metrics });
}

const throttle = (name: string, requests: number, seconds = 60): Partial<SettingValues> => ({
  [`${name}_enabled`]: true,
  [`${name}_requests_per_period`]: requests,
  [`${name}_period_in_seconds`]: seconds,
});

test('a refusal has seven headers and a text, and the window ends for all at a multiple of its period', async () => {
  const world = throttling(throttle('throttle_unauthenticated_api', 3));
  expect(world.refusedAfter({})).toEqual([3, 'throttle_unauthenticated_api']);
  const headers = {
    'RateLimit-Name': 'throttle_unauthenticated_api',
    'RateLimit-Limit': '3',
    'RateLimit-Observed': '5',
    'RateLimit-Remaining': '0',
    'RateLimit-Reset': String(Date.UTC(2021, 8, 1, 12, 1) / 1000),
    'RateLimit-ResetTime': 'Wed, 01 Sep 2021 12:01:00 GMT',
    'Retry-After': '43',
  };
  expect(world.ask()).toEqual({ name: headers['RateLimit-Name'], headers, body: 'Retry later\n' });
  world.now += 42_999;
  expect(world.ask()?.headers).toMatchObject({ 'Retry-After': '1', 'RateLimit-Observed': '6' });
  world.now += 1;
  expect(world.refusedAfter({})).toEqual([3, 'throttle_unauthenticated_api']);
  expect(await world.metrics.text()).toContain(
    'forgelog_throttled_requests_total{throttle="throttle_unauthenticated_api"} 4',
  );
});

test.each([
  [3600, 3600, '60'],
  [1, 3600, '1'],
  [800, 15, '3200'],
])('%i in %i seconds are told as %s a minute', (requests, seconds, told) => {
  const world = throttling(throttle('throttle_authenticated_api', requests, seconds));
  for (let times = 0; times < requests; times += 1) expect(world.ask({ by: ada })).toBeUndefined();
  expect(world.ask({ by: ada })?.headers['RateLimit-Limit']).toBe(told);
});

const file = { id: 'file-raw', params: { id: '1', file_path: 'README.md' } };
const packageFile = endpoints.find(({ path }: AnyEndpoint) => path.startsWith('/projects/:id/packages/'))!.id;

test.each<[string, Partial<SettingValues>, Asked, [number, string] | null]>([
  ['nothing, by default', {}, {}, null],
  [
    'an address at the API',
    throttle('throttle_unauthenticated_api', 2),
    {},
    [2, 'throttle_unauthenticated_api'],
  ],
  ['not who is signed in', throttle('throttle_unauthenticated_api', 2), { by: ada }, null],
  ['not what is beside it', throttle('throttle_unauthenticated_api', 2), { kind: 'web' }, null],
  [
    'a user at the API',
    throttle('throttle_authenticated_api', 2),
    { by: ada },
    [2, 'throttle_authenticated_api'],
  ],
  [
    'pages',
    throttle('throttle_unauthenticated_web', 2),
    { kind: 'web' },
    [2, 'throttle_unauthenticated_web'],
  ],
  [
    'git as pages',
    throttle('throttle_authenticated_web', 2),
    { kind: 'git', by: ada },
    [2, 'throttle_authenticated_web'],
  ],
  [
    'git by itself',
    { ...throttle('throttle_authenticated_web', 2), ...throttle('throttle_authenticated_git_http', 4) },
    { kind: 'git', by: ada },
    [4, 'throttle_authenticated_git_http'],
  ],
  [
    'files by themselves',
    { ...throttle('throttle_unauthenticated_api', 2), ...throttle('throttle_unauthenticated_files_api', 4) },
    file,
    [4, 'throttle_unauthenticated_files_api'],
  ],
  [
    'packages by themselves',
    { ...throttle('throttle_authenticated_api', 2), ...throttle('throttle_authenticated_packages_api', 4) },
    { id: packageFile, by: ada },
    [4, 'throttle_authenticated_packages_api'],
  ],
  [
    'not agents of runners',
    throttle('throttle_unauthenticated_api', 2),
    { id: 'job-request', method: 'POST' },
    null,
  ],
  [
    'not the settings of an administrator',
    throttle('throttle_authenticated_api', 2),
    { id: 'settings-update', by: root },
    null,
  ],
  ['new issues', { issues_create_limit: 2 }, { id: 'issue-create', by: ada }, [2, 'issues_create']],
  [
    'new comments',
    { notes_create_limit: 2 },
    { id: 'mr-discussion-note-create', by: ada },
    [2, 'notes_create'],
  ],
  [
    'not comments of who is named',
    { notes_create_limit: 2, notes_create_limit_allowlist: ['ada'] },
    { id: 'mr-note-create', by: ada },
    null,
  ],
  [
    'pipelines',
    { pipeline_limit_per_user: 2 },
    { id: 'pipeline-create', by: ada },
    [2, 'pipelines_created_per_user'],
  ],
  ['a file', { raw_blob_request_limit: 2 }, file, [2, 'raw_blob']],
  ['searches', { search_rate_limit: 2 }, { id: 'project-search', by: ada }, [2, 'search_rate_limit']],
  [
    'searches of strangers',
    { search_rate_limit_unauthenticated: 2 },
    { id: 'project-search' },
    [2, 'search_rate_limit_unauthenticated'],
  ],
  ['users', { users_get_by_id_limit: 2 }, { id: 'user-get', by: ada }, [2, 'users_get_by_id']],
  ['lists of projects', { projects_api_limit: 2 }, { id: 'project-list', by: ada }, [2, 'projects_api']],
  [
    'lists of projects for strangers',
    { projects_api_rate_limit_unauthenticated: 2 },
    { id: 'project-list' },
    [2, 'projects_api_rate_limit_unauthenticated'],
  ],
  ['lists of jobs', { project_jobs_api_rate_limit: 2 }, { id: 'job-list', by: ada }, [2, 'project_jobs_api']],
  ['archives, always', {}, { id: 'repo-archive', by: ada }, [5, 'archives']],
  [
    'protected paths, also where letters are encoded',
    { ...throttle('throttle_protected_paths', 2), protected_paths: ['/api/v4/runners'] },
    { method: 'POST', path: '/api/v4/runner%73/verify', id: 'runner-verify' },
    [2, 'throttle_unauthenticated_protected_paths'],
  ],
  [
    'protected paths of who is signed in',
    { ...throttle('throttle_protected_paths', 2), protected_paths: ['/api/v4/projects'] },
    { method: 'POST', path: '/api/v4/projects', by: ada },
    [2, 'throttle_authenticated_protected_paths_api'],
  ],
  [
    'not what is read at protected paths',
    { ...throttle('throttle_protected_paths', 2), protected_paths: ['/api/v4/runners'] },
    { path: '/api/v4/runners' },
    null,
  ],
])('limits %s', (_, settings, asked, refused) => {
  expect(throttling(settings).refusedAfter(asked)).toEqual(refused);
});

test('an endpoint of its own limit answers in JSON', () => {
  const world = throttling({ issues_create_limit: 1 });
  world.ask({ id: 'issue-create', by: ada });
  const error = 'This endpoint has been requested too many times. Try again later.';
  expect(world.ask({ id: 'issue-create', by: ada })?.body).toEqual({ message: { error } });
});

test('callers are counted apart: users, addresses, IPv6 networks, and files for all callers together', () => {
  const world = throttling({
    ...throttle('throttle_authenticated_api', 1),
    ...throttle('throttle_unauthenticated_api', 1),
  });
  const admitted = (asked: Asked) => world.ask(asked) === undefined;
  expect([admitted({ by: ada }), admitted({ by: ada, from: '192.0.2.9' }), admitted({ by: grace })]).toEqual([
    ...[true, false, true],
  ]);
  expect([admitted({}), admitted({ from: '::ffff:192.0.2.1' }), admitted({ from: '192.0.2.2' })]).toEqual([
    ...[true, false, true],
  ]);
  expect([admitted({ from: '2001:db8::1' }), admitted({ from: '2001:db8::2' })]).toEqual([true, false]);
  // An administrator does not get away by acting as others.
  expect([admitted({ by: { ...ada, userId: 20, onBehalfBy: 1 } }), admitted({ by: root })]).toEqual([
    true,
    false,
  ]);
  const files = throttling({ raw_blob_request_limit: 1 });
  const reads = (file_path: string, by: Principal | null) =>
    files.ask({ id: 'file-raw', by, params: { id: '1', file_path } });
  expect([reads('a', ada), reads('b', ada), reads('a', null)?.name]).toEqual([
    undefined,
    undefined,
    'raw_blob',
  ]);
});

test('a change acts on the next request, and what was counted stays', () => {
  const world = throttling(throttle('throttle_unauthenticated_api', 5));
  for (let times = 0; times < 4; times += 1) world.ask();
  world.set = {
    ...throttle('throttle_unauthenticated_api', 3),
    rate_limiting_response_text: 'Come back at noon',
  };
  expect(world.ask()?.body).toBe('Come back at noon\n');
  world.set = throttle('throttle_unauthenticated_api', 6);
  expect(world.refusedAfter({})).toEqual([2, 'throttle_unauthenticated_api']);
  world.set = {};
  expect(world.refusedAfter({})).toBeNull();
});

test('beyond a number of addresses the quiet ones are forgotten, the busy one is not', () => {
  const world = throttling(throttle('throttle_unauthenticated_api', 100), 1000);
  world.ask({ from: '203.0.113.9' });
  for (let at = 0; at < 10_000; at += 1) {
    world.ask({ from: `10.0.${at >> 8}.${at & 255}` });
    if (at % 100 === 0) world.ask({ from: '203.0.113.1' });
  }
  expect(world.ask({ from: '203.0.113.1' })?.headers).toMatchObject({ 'RateLimit-Observed': '101' });
  expect(world.refusedAfter({ from: '203.0.113.9' }, 200)?.[0]).toBe(100);
});
