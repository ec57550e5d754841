import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import type { Reply } from '../support/calls.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { nextOf, walkKeyset } from '../support/keyset-walk.ts';
import { commitAll, fill, git, newFolder, newProject, removeFolder } from '../support/repositories.ts';

/** Lists that change between a client's first page and its second: what is there all the while is seen once, in order. */
let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

let counter = 0;
const unique = (word: string) => `${word}${++counter}`;

async function must(call: Promise<Reply>) {
  const reply = await call;
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
  return reply.body;
}

/** Walks in pages of two, changes the list after the first, and gives what a client saw and what was there before. */
async function walkWhile(path: string, name: string, change: () => Promise<unknown>) {
  const named = (items: unknown[]) => items.map((item) => (item as Record<string, unknown>)[name]);
  const before = named((await forgelog.get(`${path}&per_page=100`)).body);
  const { items } = await walkKeyset(forgelog, `${path}&per_page=2`, { between: change });
  return { before, seen: named(items) };
}

describe('documents', () => {
  test.each([
    ['created_at', 'asc'],
    ['created_at', 'desc'],
    ['due_date', 'asc'],
    ['due_date', 'desc'],
    ['weight', 'asc'],
    ['weight', 'desc'],
  ])('issues by %s %s', async (by, sort) => {
    const { id } = await must(forgelog.post('/projects', { path: unique('p') }));
    const at = `/projects/${id}/issues`;
    const issue = (given: object = {}) => must(forgelog.post(at, { title: unique('issue '), ...given }));
    // Many are alike, and some have neither due date nor weight.
    for (const weight of [1, undefined, 1, 2, 1, undefined, 2])
      await issue({ weight, due_date: weight && `2027-01-0${weight}` });
    const list = `${at}?order_by=${by}&sort=${sort}`;
    const iids = (await forgelog.get(list)).body.map(({ iid }: { iid: number }) => iid);
    const gone = [iids[1], iids[3]];
    const { before, seen } = await walkWhile(list, 'iid', async () => {
      for (const iid of gone) await must(forgelog.delete(`${at}/${iid}`));
      for (const weight of [undefined, 1, 2, 9])
        await issue({ weight, due_date: weight && `2027-01-0${weight}` });
    });
    expect(seen.filter((iid) => before.includes(iid))).toEqual(before.filter((iid) => iid !== gone[1]));
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('what the caller may not see any more is in no later page, whoever gave the cursor', async () => {
    const { id } = await must(forgelog.post('/projects', { path: unique('p'), visibility: 'public' }));
    for (const confidential of [false, true, false, true, false])
      await must(forgelog.post(`/projects/${id}/issues`, { title: unique('issue '), confidential }));
    const list = `/projects/${id}/issues?sort=asc&pagination=keyset&per_page=2`;
    const [link] = nextOf(await forgelog.get(list), 'cursor');
    const path = link!.slice(`${forgelog.url}/api/v4`.length);
    const stranger = await createUser(forgelog);
    const { body } = await forgelog.get(path, { token: stranger.token });
    expect(body.map(({ iid }: { iid: number }) => iid)).toEqual([3, 5]);
    await must(forgelog.put(`/projects/${id}`, { visibility: 'private' }));
    expect((await forgelog.get(path, { token: stranger.token })).status).toBe(404);
  });
});

describe('arrays', () => {
  test('groups by similarity', async () => {
    const word = unique('alike');
    const group = (path: string) => must(forgelog.post('/groups', { name: path, path }));
    const groups: { id: number }[] = [];
    for (const end of ['', '-a', '-bb', '-ccc', '-dddd', '-eeeee']) groups.push(await group(word + end));
    const list = `/groups?order_by=similarity&search=${word}`;
    const { before, seen } = await walkWhile(list, 'path', async () => {
      await must(forgelog.delete(`/groups/${groups[1]!.id}`));
      await group(`${word}-0`);
      await group(`${word}-zzzzzzz`);
    });
    expect(before).toHaveLength(6);
    expect(seen.filter((path) => before.includes(path))).toEqual(before);
    expect(seen).toContain(`${word}-zzzzzzz`);
  });

  test('members with inherited ones', async () => {
    const { id } = await must(forgelog.post('/groups', { name: unique('g'), path: unique('g') }));
    const project = await must(forgelog.post('/projects', { path: unique('p'), namespace_id: id }));
    const add = async (where: string) => {
      const { id: user_id } = await createUser(forgelog);
      await must(forgelog.post(`${where}/members`, { user_id, access_level: 30 }));
      return user_id;
    };
    const own: number[] = [];
    for (let at = 0; at < 3; at++) own.push(await add(`/groups/${id}`), await add(`/projects/${project.id}`));
    const { before, seen } = await walkWhile(`/projects/${project.id}/members/all?`, 'id', async () => {
      // The last one of the first page, and one of the next.
      await must(forgelog.delete(`/groups/${id}/members/${own[0]}`));
      await must(forgelog.delete(`/projects/${project.id}/members/${own[1]}`));
      own.push(await add(`/projects/${project.id}`));
    });
    expect(seen).toEqual([...before.filter((one) => one !== own[1]), own.at(-1)]);
  });
});

describe('what git holds', () => {
  let folder: string;
  let project: Awaited<ReturnType<typeof newProject>>;
  beforeAll(async () => {
    folder = newFolder();
    for (let at = 0; at < 7; at++)
      commitAll(folder, `Commit ${at}`, `Author ${at} <author-${at}@example.org>`);
    for (let at = 0; at < 6; at++) {
      git(folder, 'tag', `v${at}`, `main~${at}`);
      git(folder, 'branch', `topic-${at}`, `main~${at}`);
    }
    project = await newProject(forgelog, unique('git'));
    await fill(forgelog, project, folder);
  });
  afterAll(() => removeFolder(folder));

  const commit = (branch: string, given: object = {}) =>
    must(
      forgelog.post(`${project.at}/commits`, {
        branch,
        commit_message: unique('commit '),
        actions: [{ action: 'create', file_path: `${unique('added/file')}.txt`, content: 'x' }],
        ...given,
      }),
    );

  test('branches', async () => {
    const { before, seen } = await walkWhile(`${project.at}/branches?search=topic`, 'name', async () => {
      await must(forgelog.delete(`${project.at}/branches/topic-1`));
      await must(forgelog.delete(`${project.at}/branches/topic-3`));
      for (const branch of ['topic-0a', 'topic-4a'])
        await must(forgelog.post(`${project.at}/branches`, { branch, ref: 'main' }));
    });
    expect(before).toHaveLength(6);
    expect(seen).toEqual(['topic-0', 'topic-1', 'topic-2', 'topic-4', 'topic-4a', 'topic-5']);
  });

  test('tags by their age, the one in the cursor deleted', async () => {
    const { seen } = await walkWhile(`${project.at}/tags?search=v`, 'name', async () => {
      await must(forgelog.delete(`${project.at}/tags/v1`));
      for (const [tag_name, ref] of [
        ['v-new', 'main'],
        ['v-old', 'topic-4'],
      ])
        await must(forgelog.post(`${project.at}/tags`, { tag_name, ref }));
    });
    expect(seen).toEqual(['v0', 'v1', 'v2', 'v3', 'v4', 'v-old', 'v5']);
  });

  test.each([
    ['commits?ref_name=moving', 'id'],
    ['commits?ref_name=moving&path=added', 'id'],
    ['tree?ref=moving&recursive=true', 'path'],
    ['commits/moving/diff?', 'new_path'],
  ])('%s stays at the commit of its first page', async (list, name) => {
    await must(forgelog.post(`${project.at}/branches`, { branch: 'moving', ref: 'main' }));
    for (let at = 0; at < 4; at++) await commit('moving');
    const actions = ['a', 'b', 'c', 'd'].map((file) => ({
      action: 'create',
      file_path: unique(`added/${file}`),
      content: 'x',
    }));
    await commit('moving', { actions });
    const { before, seen } = await walkWhile(`${project.at}/${list}`, name, async () => {
      for (let at = 0; at < 3; at++) await commit('moving');
    });
    expect(seen.length).toBeGreaterThan(3);
    expect(seen).toEqual(before);
    const gone = await walkWhile(`${project.at}/${list}`, name, () =>
      must(forgelog.delete(`${project.at}/branches/moving`)),
    );
    expect(gone.seen).toEqual(gone.before);
  });

  test('contributors stay those of the first page', async () => {
    const { before, seen } = await walkWhile(`${project.at}/contributors?`, 'email', async () => {
      for (const at of [6, 6, 1, 1])
        await commit('main', { author_name: `Author ${at}`, author_email: `author-${at}@example.org` });
    });
    expect(before).toHaveLength(7);
    expect(seen).toEqual(before);
  });

  test('the commits of all branches stay at what these named, of the same second too', async () => {
    for (const at of [1, 2, 3]) await commit(`side-${at}`, { start_branch: 'main' });
    const { before, seen } = await walkWhile(`${project.at}/commits?all=true`, 'id', async () => {
      for (let at = 0; at < 5; at++) await commit('main');
      await must(forgelog.delete(`${project.at}/branches/side-1`));
    });
    expect(seen).toEqual(before);
  });
});

describe('more branches than a cursor can hold', () => {
  let project: Awaited<ReturnType<typeof newProject>>;
  beforeAll(async () => {
    const folder = newFolder();
    commitAll(folder, 'First commit');
    // In one go: a process for each would keep this thread for seconds, and connections would be closed meanwhile.
    const lines = Array.from({ length: 60 }, (_, at) => [
      `commit refs/heads/branch-${at}`,
      `committer Carl Committer <carl@example.org> ${1_700_000_000 + at} +0000`,
      'data 0',
      'from refs/heads/main',
    ]);
    execFileSync('git', ['-C', folder, 'fast-import', '--quiet'], { input: `${lines.flat().join('\n')}\n` });
    project = await newProject(forgelog, unique('branches'));
    await fill(forgelog, project, folder);
    removeFolder(folder);
  });
  const put = (branch: string) => {
    const actions = [{ action: 'create', file_path: unique('file'), content: 'x' }];
    const given = {
      branch,
      start_branch: branch === 'new' ? 'main' : undefined,
      commit_message: 'More',
      actions,
    };
    return must(forgelog.post(`${project.at}/commits`, given));
  };

  test('when the last one of a page is gone the client is told to begin anew', async () => {
    await put('new');
    const first = await forgelog.get(`${project.at}/commits?all=true&pagination=keyset&per_page=1`);
    const [link] = nextOf(first, 'cursor');
    expect(link!.length).toBeLessThan(500);
    await must(forgelog.delete(`${project.at}/branches/new`));
    const refused = await forgelog.get(link!.slice(`${forgelog.url}/api/v4`.length));
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatch(/^cursor is invalid: .* begin anew$/);
  });

  test('commits go on after the last one, wherever it is by now', async () => {
    const { before, seen } = await walkWhile(`${project.at}/commits?all=true`, 'id', async () => {
      for (let at = 0; at < 3; at++) await put('main');
      await must(forgelog.delete(`${project.at}/branches/branch-7`));
    });
    expect(before).toHaveLength(61);
    const missing = before.filter((id) => !seen.includes(id));
    expect(missing).toHaveLength(1);
    expect(seen).toEqual(before.filter((id) => id !== missing[0]));
  });
});
