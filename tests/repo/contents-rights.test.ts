import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToken, createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { writeOddHistory } from '../support/odd-repository.ts';
import { fill, git, newFolder, newProject, removeFolder, type TestProject } from '../support/repositories.ts';

const ROLES = { guest: 10, reporter: 20, developer: 30, maintainer: 40 } as const;
type Who = 'anonymous' | 'external' | 'outsider' | keyof typeof ROLES | 'root';

let forgelog: Forgelog;
let source: string;
let blob: string;
const tokens: Record<string, string | null> = { anonymous: null };
const ids: Record<string, number> = {};
const projects: Record<string, TestProject> = {};

beforeAll(async () => {
  forgelog = await startForgelog();
  source = newFolder();
  writeOddHistory(source);
  blob = git(source, 'rev-parse', 'main:plain.txt');
  tokens.root = forgelog.rootToken;
  for (const name of ['outsider', 'external', ...Object.keys(ROLES)]) {
    const user = await createUser(forgelog, { external: name === 'external' });
    tokens[name] = user.token;
    ids[name] = user.id;
  }
  for (const [name, visibility, repository_access_level] of [
    ['public', 'public', 'enabled'],
    ['internal', 'internal', 'enabled'],
    ['private', 'private', 'enabled'],
    ['members', 'public', 'private'],
    ['disabled', 'public', 'disabled'],
  ] as const) {
    const project = await newProject(forgelog, name, { visibility });
    await fill(forgelog, project, source);
    await forgelog.put(`/projects/${project.id}`, { repository_access_level });
    for (const [role, access_level] of Object.entries(ROLES)) {
      const sent = { user_id: ids[role], access_level };
      expect((await forgelog.post(`/projects/${project.id}/members`, sent)).status).toBe(201);
    }
    projects[name] = project;
  }
});
afterAll(async () => {
  await forgelog.stop();
  removeFolder(source);
});

const READS = [
  'GET /files/plain.txt?ref=main',
  'HEAD /files/plain.txt?ref=main',
  'GET /files/plain.txt/blame?ref=main',
  'HEAD /files/plain.txt/blame?ref=main',
  'GET /files/plain.txt/raw',
  'HEAD /files/plain.txt/raw',
  'GET /tree',
  'GET /blobs/BLOB',
  'GET /blobs/BLOB/raw',
  'GET /compare?from=v1.0.0&to=main',
  'GET /contributors',
  'GET /merge_base?refs[]=main&refs[]=v1.0.0',
  'GET /branches',
  'GET /branches/main',
  'GET /tags',
  'GET /tags/v1.0.0',
  'GET /commits',
  'GET /commits/main',
  'GET /commits/main/diff',
  'GET /commits/main/refs',
];
/** Whole commits, because who may commit depends on the branch. */
const COMMIT = 'branch=main&commit_message=Change';
const WRITES = [
  `POST /files/x?${COMMIT}&content=x`,
  `PUT /files/x?${COMMIT}&content=x`,
  `DELETE /files/x?${COMMIT}`,
  'POST /changelog',
  'POST /branches',
  'DELETE /branches/nothing',
  'DELETE /merged_branches',
  'POST /tags',
  'DELETE /tags/nothing',
  `POST /commits?${COMMIT} {"actions":[{"action":"create","file_path":"x","content":"x"}]}`,
];
async function statusOf(line: string, project: TestProject, who: Who, headers = {}): Promise<number> {
  const [method = '', path = '', json] = line.replace('BLOB', blob).split(' ');
  const { status } = await forgelog.call(method, project.at + path, {
    token: tokens[who] ?? null,
    headers: { ...headers, ...(json !== undefined && { 'Content-Type': 'application/json' }) },
    ...(json !== undefined && { body: json }),
  });
  return status;
}

describe('reading', () => {
  const everybody: Who[] = [
    'anonymous',
    'external',
    'outsider',
    'guest',
    'reporter',
    'developer',
    'maintainer',
    'root',
  ];
  test.each([
    ['public', [200, 200, 200, 200, 200, 200, 200, 200]],
    ['internal', [404, 404, 200, 200, 200, 200, 200, 200]],
    ['private', [404, 404, 404, 403, 200, 200, 200, 200]],
    ['members', [403, 403, 403, 200, 200, 200, 200, 200]],
    ['disabled', [403, 403, 403, 403, 403, 403, 403, 403]],
  ] as const)('%s', async (name, wanted) => {
    for (const line of READS) {
      const found: number[] = [];
      for (const who of everybody) found.push(await statusOf(line, projects[name]!, who));
      expect([line, found]).toEqual([line, wanted]);
    }
    const heads = await Promise.all(
      everybody.map((who) => statusOf('HEAD /branches/main', projects[name]!, who)),
    );
    expect(heads).toEqual(wanted.map((status) => (status === 200 ? 204 : status)));
  });

  test('archives are open to the same callers', async () => {
    expect(await statusOf('GET /archive.tar', projects.public!, 'anonymous')).toBe(200);
    expect(await statusOf('GET /archive.tar', projects.private!, 'outsider')).toBe(404);
    expect(await statusOf('GET /archive.tar', projects.private!, 'guest')).toBe(403);
    expect(await statusOf('GET /archive.tar', projects.private!, 'reporter')).toBe(200);
  });

  test('needs a scope that reads repositories', async () => {
    for (const [scopes, status] of [
      [['read_repository'], 200],
      [['read_api'], 200],
      [['api'], 200],
      [['read_user'], 403],
    ] as const) {
      tokens.scoped = await createToken(forgelog, ids.developer!, [...scopes]);
      for (const line of READS)
        expect([scopes, line, await statusOf(line, projects.private!, 'scoped' as Who)]).toEqual([
          scopes,
          line,
          status,
        ]);
    }
  });
});

describe('writing', () => {
  test('needs a Developer, and changes nothing for others', async () => {
    const before = await forgelog.system.store.head();
    for (const line of WRITES) {
      for (const [who, status] of [
        ['anonymous', 401],
        ['external', 404],
        ['outsider', 404],
        ['guest', 403],
        ['reporter', 403],
      ] as const)
        expect([line, who, await statusOf(line, projects.private!, who)]).toEqual([line, who, status]);
      expect([line, await statusOf(line, projects.public!, 'outsider')]).toEqual([line, 403]);
      for (const scope of ['read_repository', 'read_api', 'write_repository']) {
        tokens.scoped = await createToken(forgelog, ids.maintainer!, [scope]);
        expect([line, scope, await statusOf(line, projects.private!, 'scoped' as Who)]).toEqual([
          line,
          scope,
          403,
        ]);
      }
    }
    const events = await forgelog.system.store.readStream(`repository-${projects.private!.id}`, {
      fromRevision: 0,
      limit: 1000,
    });
    expect(events.every(({ data }) => (data as { via: string }).via === 'push')).toBe(true);
    expect(before).not.toBe('');
  });

  test('Developers commit to the default branch, and only Maintainers force-push it', async () => {
    const project = projects.private!;
    const call = (who: Who, force: boolean) =>
      forgelog.post(
        `${project.at}/commits`,
        {
          branch: 'main',
          commit_message: 'm',
          actions: [{ action: 'create', file_path: `by-${who}-${force}`, content: 'x' }],
          ...(force ? { force, start_branch: 'feature/one' } : {}),
        },
        { token: tokens[who] },
      );
    expect((await call('developer', false)).status).toBe(201);
    const refused = await call('developer', true);
    expect([refused.status, refused.body]).toEqual([
      403,
      { message: '403 Forbidden - You are not allowed to push into this branch' },
    ]);
    expect((await call('maintainer', true)).status).toBe(201);
    const branch = await forgelog.get(`${project.at}/branches/main`, { token: tokens.reporter });
    expect(branch.body).toMatchObject({ protected: true, developers_can_push: true, can_push: false });
  });

  test('an archived project is read-only', async () => {
    const project = await newProject(forgelog, 'archived');
    await fill(forgelog, project, source);
    expect((await forgelog.post(`/projects/${project.id}/archive`)).status).toBe(201);
    for (const line of WRITES) expect([line, await statusOf(line, project, 'root')]).toEqual([line, 403]);
    expect(await statusOf('GET /tree', project, 'root')).toBe(200);
    const branch = await forgelog.get(`${project.at}/branches/main`);
    expect(branch.body.can_push).toBe(false);
  });
});

test('comparing with another project needs read access to both', async () => {
  const compare = (who: Who, here: string, there: string) =>
    forgelog.get(`${projects[here]!.at}/compare?from=v1.0.0&to=main&from_project_id=${projects[there]!.id}`, {
      token: tokens[who],
    });
  const allowed = await compare('reporter', 'public', 'private');
  expect([allowed.status, allowed.body.commits.length > 0]).toEqual([200, true]);
  for (const who of ['anonymous', 'outsider', 'guest'] as const) {
    const refused = await compare(who, 'public', 'private');
    expect([who, refused.status, refused.body]).toEqual([who, 404, { message: '404 Project Not Found' }]);
  }
  const nowhere = await forgelog.get(`${projects.public!.at}/compare?from=a&to=b&from_project_id=999999`);
  expect(nowhere.body).toEqual({ message: '404 Project Not Found' });
});

test('without COMPAT_HEADERS only the neutral names are sent', async () => {
  const plain = await startForgelog({ environment: { COMPAT_HEADERS: 'off' } });
  const project = await newProject(plain, 'neutral');
  await fill(plain, project, source);
  const head = await plain.call('HEAD', `${project.at}/files/plain.txt?ref=main`);
  expect([...head.headers.keys()].filter((name) => name.startsWith('x-service-'))).toHaveLength(9);
  expect([...head.headers.keys()].filter((name) => name.startsWith('x-gitlab-'))).toEqual([]);
  await plain.stop();
});
