import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser, type TestUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';

/** Searches that several services answer together. */
let forgelog: Forgelog;
let owner: TestUser;
let member: TestUser;
let stranger: TestUser;
let external: TestUser;
let groupId: number;
let hiddenId: number;

beforeAll(async () => {
  forgelog = await startForgelog();
  const { post } = forgelog;
  owner = await createUser(forgelog, { username: 'quill-owner', name: 'Olive Quill' });
  member = await createUser(forgelog, { username: 'quill-member', name: 'Mary Quill' });
  stranger = await createUser(forgelog, { username: 'quill-stranger', name: 'Straße Quill' });
  external = await createUser(forgelog, { username: 'quill-external', external: true });
  const as = { token: owner.token };
  const group = (more: object) => must(post('/groups', { name: 'g', ...more }, as));
  groupId = (await group({ path: 'quills', visibility: 'public' })).id;
  hiddenId = (await group({ path: 'hidden', parent_id: groupId, visibility: 'private' })).id;
  await must(post(`/groups/${hiddenId}/members`, { user_id: member.id, access_level: 30 }, as));
  for (const [path, visibility, namespace_id] of [
    ['quill-public', 'public', groupId],
    ['quill-internal', 'internal', undefined],
    ['quill-private', 'private', hiddenId],
  ] as const) {
    const made = { path, namespace_id, visibility, description: 'writes' };
    const { id } = await must(post('/projects', made, as));
    await must(post(`/projects/${id}/issues`, { title: `issue of ${path}` }, as));
    for (const level of ['public', 'private'])
      await must(
        post(
          `/projects/${id}/snippets`,
          { title: `snippet ${level} of ${path}`, visibility: level, file_name: 'a', content: 'a' },
          as,
        ),
      );
  }
  for (const visibility of ['public', 'internal', 'private'])
    await must(
      post('/snippets', { title: `snippet ${visibility}`, visibility, file_name: 'a', content: 'a' }, as),
    );
});
afterAll(() => forgelog.stop());

/** Names of what is found, sorted; the count tells the same. */
async function found(path: string, { token }: { token: string }, name: string): Promise<string[]> {
  const { status, body, headers } = await forgelog.get(path, { token });
  expect({ path, status }).toEqual({ path, status: 200 });
  expect(Number(headers.get('x-total'))).toBe(body.length);
  return body.map((item: Record<string, string>) => item[name]).sort();
}

test('projects are found as far as the caller sees them', async () => {
  const projects = (as: TestUser, more = '') =>
    found(`/search?scope=projects&search=quill${more}`, as, 'path');
  expect(await projects(owner)).toEqual(['quill-internal', 'quill-private', 'quill-public']);
  expect(await projects(member)).toEqual(['quill-internal', 'quill-private', 'quill-public']);
  expect(await projects(stranger)).toEqual(['quill-internal', 'quill-public']);
  expect(await projects(external)).toEqual(['quill-public']);
  for (const at of ['search', '-/search']) {
    const below = `/groups/${groupId}/${at}?scope=projects&search=writ`;
    expect(await found(below, owner, 'path')).toEqual(['quill-private', 'quill-public']);
    expect(await found(below, stranger, 'path')).toEqual(['quill-public']);
  }
  expect((await forgelog.get(`/groups/${hiddenId}/search?scope=projects&search=q`, stranger)).status).toBe(
    404,
  );
});

test('a name that has the word comes before a description that has it', async () => {
  await must(forgelog.post('/projects', { path: 'late', description: 'for a quill', visibility: 'public' }));
  const { body } = await forgelog.get('/search?scope=projects&search=quill', external);
  expect(body.map(({ path }: { path: string }) => path)).toEqual(['quill-public', 'late']);
  await must(forgelog.delete('/projects/root%2Flate'));
  expect(await found('/search?scope=projects&search=quill', external, 'path')).toEqual(['quill-public']);
});

test('snippets are found as far as the caller may read them', async () => {
  const snippets = (as: TestUser) => found('/search?scope=snippet_titles&search=snippet', as, 'title');
  const open = ['snippet public', 'snippet public of quill-public'];
  expect(await snippets(external)).toEqual(open);
  expect(await snippets(stranger)).toEqual([
    ...[
      'snippet internal',
      'snippet public',
      'snippet public of quill-internal',
      'snippet public of quill-public',
    ],
  ]);
  expect(await snippets(member)).toHaveLength(6);
  expect(await snippets(owner)).toHaveLength(9);
});

describe('users', () => {
  const names = (path: string, as: TestUser) => found(`${path}scope=users`, as, 'username');

  test('are found by parts of their names, and by a whole address', async () => {
    const everywhere = (search: string) => names(`/search?search=${encodeURIComponent(search)}&`, external);
    expect(await everywhere('Quill')).toEqual([
      ...['quill-external', 'quill-member', 'quill-owner', 'quill-stranger'],
    ]);
    expect(await everywhere('quill STRASSE')).toEqual(['quill-stranger']);
    expect(await everywhere(member.email)).toEqual(['quill-member']);
    expect(await everywhere('example.org')).toEqual([]);
    const { body } = await forgelog.get('/search?scope=users&search=quill-owner', external);
    expect(body[0].username).toBe('quill-owner');
  });

  test('of a group are its members, and those below it that the caller sees', async () => {
    const ofGroup = (as: TestUser) => names(`/groups/${groupId}/-/search?search=quill&`, as);
    expect(await ofGroup(owner)).toEqual(['quill-member', 'quill-owner']);
    expect(await ofGroup(stranger)).toEqual(['quill-owner']);
    const inside = await names('/projects/quills%2Fhidden%2Fquill-private/search?search=quill&', member);
    expect(inside).toEqual(['quill-member', 'quill-owner']);
  });
});

test('issues are found in a group as far as the caller sees its projects', async () => {
  const issues = (as: TestUser) => found(`/groups/${groupId}/search?scope=issues&search=issue`, as, 'title');
  expect(await issues(member)).toEqual(['issue of quill-private', 'issue of quill-public']);
  expect(await issues(stranger)).toEqual(['issue of quill-public']);
});

test('what lies in a deleted project is not found any more', async () => {
  const { id } = await must(forgelog.post('/projects', { path: 'ends', visibility: 'public' }));
  await must(forgelog.post(`/projects/${id}/issues`, { title: 'ephemeral' }));
  expect(await found('/search?scope=issues&search=ephemeral', external, 'title')).toEqual(['ephemeral']);
  await must(forgelog.delete(`/projects/${id}`));
  await expect.poll(() => found('/search?scope=issues&search=ephemeral', external, 'title')).toEqual([]);
});

test('code, commits and wikis are found in a project by who may read them', async () => {
  const { post } = forgelog;
  const as = { token: owner.token };
  const { id } = await must(post('/projects', { path: 'coded', visibility: 'private' }, as));
  const actions = [{ action: 'create', file_path: 'src/pump.c', content: 'int a->next[0];\n' }];
  const commit = { branch: 'main', commit_message: 'Add the pump', actions };
  await must(post(`/projects/${id}/repository/commits`, commit, as));
  await must(post(`/projects/${id}/wikis`, { title: 'Pumps', content: 'They turn.' }, as));
  await must(post(`/projects/${id}/members`, { user_id: member.id, access_level: 10 }, as));
  const inProject = (caller: TestUser, scope: string, search: string, name: string) =>
    found(
      `/projects/${id}/search?scope=${scope}&search=${encodeURIComponent(search)}&per_page=5`,
      caller,
      name,
    );
  expect(await inProject(owner, 'blobs', 'A->next[0]', 'path')).toEqual(['src/pump.c']);
  expect(await inProject(owner, 'blobs', 'next extension:h', 'path')).toEqual([]);
  const anywhere = '/search?scope=blobs&search=a-%3Enext';
  await expect.poll(() => found(anywhere, owner, 'path')).toEqual(['src/pump.c']);
  expect(await found(anywhere, member, 'path')).toEqual([]);
  expect(await found(`/groups/${groupId}/search?scope=blobs&search=next`, owner, 'path')).toEqual([]);
  expect(await inProject(member, 'blobs', 'next', 'path')).toEqual([]);
  expect(await inProject(member, 'wiki_blobs', 'turn', 'path')).toEqual(['Pumps.md']);
  const { status, body } = await forgelog.get(`/projects/${id}/search?scope=commits&search=PUMP`, owner);
  expect({ status, body }).toMatchObject({
    status: 200,
    body: [{ title: 'Add the pump', project_id: id, web_url: expect.stringContaining('/coded/-/commit/') }],
  });
  expect((await forgelog.get(`/projects/${id}/search?scope=commits&search=pump`, member)).body).toEqual([]);
  expect(await found('/search?scope=wiki_blobs&search=turn', member, 'path')).toEqual(['Pumps.md']);
  expect((await forgelog.get(`/projects/${id}/search?scope=blobs&search=a`, stranger)).status).toBe(404);
  const lost = `/projects/${id}/search?scope=blobs&search=a&ref=lost`;
  expect(await forgelog.get(lost, owner)).toMatchObject({
    status: 404,
    body: { message: '404 Reference Not Found' },
  });
});
