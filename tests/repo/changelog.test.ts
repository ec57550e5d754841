import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import {
  commitAll,
  fill,
  folderForTest,
  git,
  newProject,
  type TestProject,
} from '../support/repositories.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog({ clock: () => new Date('2021-09-20T10:00:00Z') });
});
afterAll(() => forgelog.stop());

let number = 0;
async function withHistory() {
  const folder = folderForTest();
  const commits: Record<string, string> = {};
  const commit = (title: string, trailers = '') => {
    commits[title] = commitAll(folder, trailers ? `${title}\n\n${trailers}` : title);
  };
  commit('Start', 'Changelog: added');
  git(folder, 'tag', 'v1.0.0');
  commit('Add search', 'Changelog: added\nSigned-off-by: A <a@example.org>');
  commit('Tidy up');
  commit('Lower case', 'changelog: added');
  git(folder, 'tag', 'v1.1.0-rc1');
  commit('Fix search', 'Changelog: fixed');
  commit('Other word', 'Change: performance');
  git(folder, 'branch', 'aside');
  const project = await newProject(forgelog, `changes-${++number}`);
  await fill(forgelog, project, folder);
  return { project, commits, path: `root/changes-${number}` };
}
const changelog = (project: TestProject, json: object) => forgelog.post(`${project.at}/changelog`, json);

test('a new section is inserted and the others stay', async () => {
  const { project, commits, path } = await withHistory();
  const before = git(project.gitDir, 'rev-parse', 'main');
  const first = await changelog(project, { version: '1.1.0' });
  expect([first.status, first.body]).toEqual([200, 200]);
  const section = [
    '## 1.1.0 (2021-09-20)',
    '',
    '### fixed (1 change)',
    '',
    `- [Fix search](${path}@${commits['Fix search']})`,
    '',
    '### added (1 change)',
    '',
    `- [Add search](${path}@${commits['Add search']})`,
    '',
    '',
  ].join('\n');
  expect((await forgelog.get(`${project.at}/files/CHANGELOG.md/raw`)).text).toBe(section);
  expect(git(project.gitDir, 'log', '--format=%s|%cn', `${before}..main`)).toBe(
    'Add changelog for version 1.1.0|Administrator',
  );
  const second = await changelog(project, {
    version: '0.9.0',
    from: commits.Start,
    to: commits['Tidy up'],
    date: '2020-01-02T23:30:00+02:00',
    message: 'Remember 0.9.0',
  });
  expect(second.status).toBe(200);
  const text = (await forgelog.get(`${project.at}/files/CHANGELOG.md/raw`)).text;
  expect(text.startsWith(section)).toBe(true);
  expect(text).toContain('## 0.9.0 (2020-01-02)\n\n### added (1 change)');
  expect(git(project.gitDir, 'log', '-1', '--format=%s', 'main')).toBe('Remember 0.9.0');
});

test('another branch, file and trailer', async () => {
  const { project, commits } = await withHistory();
  const sent = {
    version: '2.0.0',
    from: commits.Start,
    branch: 'aside',
    file: 'docs/changes.md',
    trailer: 'Change',
  };
  expect((await changelog(project, sent)).status).toBe(200);
  const { text } = await forgelog.get(`${project.at}/files/docs%2Fchanges.md/raw?ref=aside`);
  expect(text).toContain('### performance (1 change)');
  expect(text).toContain('Other word');
  expect((await forgelog.get(`${project.at}/files/docs%2Fchanges.md/raw`)).status).toBe(404);
});

test('without a start commit and a matching tag it fails, and with a start it succeeds', async () => {
  const { project, commits } = await withHistory();
  const failed = await changelog(project, { version: '1.0.0' });
  expect([failed.status, failed.body]).toEqual([
    422,
    {
      message:
        'Failed to generate the changelog: The commit start range is unspecified, and no previous tag could be found to use instead',
    },
  ]);
  expect((await changelog(project, { version: '1.0.0', from: commits.Start })).status).toBe(200);
});

test('an invalid request is refused and commits nothing', async () => {
  const { project, commits } = await withHistory();
  const before = git(project.gitDir, 'rev-parse', 'main');
  for (const [sent, status, body] of [
    [{}, 400, { error: 'version is missing' }],
    [{ version: '' }, 400, { error: 'version is empty' }],
    [{ version: '1.1' }, 400, { error: 'version is invalid' }],
    [{ version: 'v1.1.0' }, 400, { error: 'version is invalid' }],
    [{ version: 'latest' }, 400, { error: 'version is invalid' }],
    [{ version: '1.1.0', date: 'yesterday' }, 400, { error: 'date is invalid' }],
    [{ version: '1.1.0', from: 'nothing' }, 404, { message: '404 Commit Not Found' }],
    [{ version: '1.1.0', to: '-x' }, 404, { message: '404 Commit Not Found' }],
    [{ version: '1.1.0', branch: 'nothing' }, 404, { message: '404 Branch Not Found' }],
    [
      { version: '1.1.0', file: '../x' },
      400,
      { message: 'The commit could not be created. Please refresh and try again.' },
    ],
    [
      { version: '1.1.0', from: commits.Start, file: '.git/config' },
      400,
      { message: 'The commit could not be created. Please refresh and try again.' },
    ],
  ] as const) {
    const answer = await changelog(project, sent);
    expect([sent, answer.status, answer.body]).toEqual([sent, status, body]);
  }
  expect(git(project.gitDir, 'rev-parse', 'main')).toBe(before);
  const empty = await newProject(forgelog, 'no-changes');
  expect((await changelog(empty, { version: '1.0.0' })).body).toEqual({ message: '404 Branch Not Found' });
});

test('a reader of the code gets the section without a commit', async () => {
  const { project, commits } = await withHistory();
  const head = git(project.gitDir, 'rev-parse', 'main');
  expect(await forgelog.system.projectors.policiesIdle({ timeoutMs: 30_000 })).toBe(true);
  const events = await forgelog.system.store.head();
  const show = (query: string, token?: string | null) =>
    forgelog.get(`${project.at}/changelog?${query}`, token === undefined ? {} : { token });
  const shown = await show('version=1.1.0');
  expect([shown.status, shown.body.notes]).toMatchObject([
    200,
    expect.stringContaining('### fixed (1 change)'),
  ]);
  const narrow = await show(
    `version=0.9.0&from=${commits.Start}&to=${commits['Tidy up']}&date=2020-01-02&trailer=Changelog`,
  );
  expect(narrow.body.notes).toContain('## 0.9.0 (2020-01-02)\n\n### added (1 change)\n\n- [Add search]');
  expect((await show('version=1.1.0&trailer=Change')).body.notes).toContain('### performance (1 change)');
  for (const [query, status, body] of [
    ['', 400, { error: 'version is missing' }],
    ['version=', 400, { error: 'version is empty' }],
    ['version=v1.1.0', 400, { error: 'version is invalid' }],
    ['version=1.1.0&to=nothing', 404, { message: '404 Commit Not Found' }],
    ['version=1.1.0&from=-x', 404, { message: '404 Commit Not Found' }],
  ] as const) {
    const refused = await show(query);
    expect([query, refused.status, refused.body]).toEqual([query, status, body]);
  }
  expect((await show('version=0.1.0')).status).toBe(422);
  expect((await show('version=1.1.0', null)).status).toBe(404);
  expect(git(project.gitDir, 'rev-parse', 'main')).toBe(head);
  expect(await forgelog.system.store.head()).toBe(events);
  // What is committed afterwards is what was shown.
  expect((await changelog(project, { version: '1.1.0' })).status).toBe(200);
  const written = (await forgelog.get(`${project.at}/files/CHANGELOG.md/raw`)).text;
  expect(written).toBe(shown.body.notes);
  const empty = await newProject(forgelog, 'changes-of-nothing');
  expect((await forgelog.get(`${empty.at}/changelog?version=1.0.0`)).status).toBe(404);
});
