import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { writeOddHistory } from '../support/odd-repository.ts';
import {
  fill,
  git,
  gitBytes,
  newFolder,
  newProject,
  removeFolder,
  type TestProject,
} from '../support/repositories.ts';

let forgelog: Forgelog;
let source: string;
let number = 0;

beforeAll(async () => {
  forgelog = await startForgelog();
  source = newFolder();
  writeOddHistory(source);
});
afterAll(async () => {
  await forgelog.stop();
  removeFolder(source);
});

async function filled(): Promise<TestProject> {
  const project = await newProject(forgelog, `filled-${++number}`);
  await fill(forgelog, project, source);
  return project;
}
const encode = encodeURIComponent;
const at = (project: TestProject, path: string) => `${project.at}/files/${encode(path)}`;
const eventsOf = async (project: TestProject) =>
  (await forgelog.system.store.readStream(`repository-${project.id}`, { fromRevision: 0, limit: 1000 }))
    .filter(({ type }) => type === 'RefUpdated')
    .map(
      ({ data }) => data as { ref: string; via: string; oldOid: string; newOid: string; commitTitle: string },
    );
const FAILED = { message: 'The commit could not be created. Please refresh and try again.' };

describe('one file', () => {
  test('is created, updated and deleted in a commit each', async () => {
    const project = await filled();
    const before = git(project.gitDir, 'rev-parse', 'main');
    const path = 'a new/folder/näme 100%.txt';
    const created = await forgelog.post(at(project, path), {
      branch: 'main',
      content: 'Grüße\n',
      commit_message: 'Add a file\n\nWith a body',
      author_name: 'Änne Autörin',
      author_email: 'aenne@example.org',
    });
    expect([created.status, created.body]).toEqual([201, { file_path: path, branch: 'main' }]);
    const format = '--format=%an <%ae>|%cn <%ce>|%P|%B';
    expect(git(project.gitDir, 'show', '-s', format, 'main').trim()).toBe(
      `Änne Autörin <aenne@example.org>|Administrator <admin@example.com>|${before}|Add a file\n\nWith a body`,
    );
    expect(git(project.gitDir, 'show', `main:${path}`)).toBe('Grüße');
    const first = git(project.gitDir, 'rev-parse', 'main');

    const updated = await forgelog.put(at(project, path), {
      branch: 'main',
      content: Buffer.from([0, 255, 1]).toString('base64'),
      encoding: 'base64',
      commit_message: 'Make it binary',
      last_commit_id: first,
    });
    expect([updated.status, updated.body]).toEqual([200, { file_path: path, branch: 'main' }]);
    expect(gitBytes(project.gitDir, 'show', `main:${path}`).equals(Buffer.from([0, 255, 1]))).toBe(true);
    expect(git(project.gitDir, 'show', '-s', '--format=%an <%ae>', 'main')).toBe(
      'Administrator <admin@example.com>',
    );

    const query = `branch=main&commit_message=Remove&author_email=x%40example.org&author_name=X`;
    const deleted = await forgelog.delete(`${at(project, path)}?${query}`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect(git(project.gitDir, 'rev-parse', 'main^{tree}')).toBe(
      git(project.gitDir, 'rev-parse', `${before}^{tree}`),
    );
    expect(git(project.gitDir, 'log', '--format=%s', `${before}..main`).split('\n')).toEqual([
      'Remove',
      'Make it binary',
      'Add a file',
    ]);
    git(project.gitDir, 'fsck', '--strict');
    const moves = (await eventsOf(project)).slice(-3);
    expect(moves.map(({ ref, via, commitTitle }) => [ref, via, commitTitle])).toEqual([
      ['refs/heads/main', 'api', 'Add a file'],
      ['refs/heads/main', 'api', 'Make it binary'],
      ['refs/heads/main', 'api', 'Remove'],
    ]);
    expect(moves[0]!.newOid).toBe(first);
    expect(moves[1]!.oldOid).toBe(first);
  });

  test('keeps its mode, and accepts form data', async () => {
    const project = await filled();
    const form = { branch: 'main', content: '#!/bin/bash\n', commit_message: 'Change the script' };
    const { status } = await forgelog.call('PUT', at(project, 'script.sh'), { form });
    expect(status).toBe(200);
    expect(git(project.gitDir, 'ls-tree', 'main', 'script.sh')).toMatch(/^100755 /);
    const empty = await forgelog.put(at(project, 'script.sh'), { ...form, content: '' });
    expect(empty.status).toBe(200);
    expect(git(project.gitDir, 'show', 'main:script.sh')).toBe('');
  });

  test('on a branch that starts from another', async () => {
    const project = await filled();
    const sent = { branch: 'topic/x', start_branch: 'feature/one', content: 'x', commit_message: 'Start' };
    expect((await forgelog.post(at(project, 'x'), sent)).status).toBe(201);
    expect(git(project.gitDir, 'rev-parse', 'topic/x^')).toBe(git(source, 'rev-parse', 'feature/one'));
    // The branch is there now; it may be named as its own start.
    const again = await forgelog.post(at(project, 'y'), sent);
    expect([again.status, again.body]).toEqual([
      400,
      { message: "A branch called 'topic/x' already exists. Switch to that branch in order to make changes" },
    ]);
    const own = await forgelog.post(at(project, 'y'), { ...sent, start_branch: 'topic/x' });
    expect(own.status).toBe(201);
    for (const start_branch of ['nothing', '-x', 'v1.0.0', git(source, 'rev-parse', 'main')]) {
      const refused = await forgelog.post(at(project, 'z'), { ...sent, branch: 'other', start_branch });
      expect([start_branch, refused.status, refused.body]).toEqual([
        start_branch,
        400,
        { message: 'You can only create or edit files when you are on a branch' },
      ]);
    }
  });

  test('is the first commit of an empty repository', async () => {
    const project = await newProject(forgelog, 'first-commit');
    const sent = { branch: 'trunk', content: 'hello\n', commit_message: 'Begin' };
    expect((await forgelog.post(at(project, 'README.md'), sent)).status).toBe(201);
    expect(git(project.gitDir, 'log', '--format=%s', 'trunk')).toBe('Begin');
    expect((await forgelog.get(`/projects/${project.id}`)).body.default_branch).toBe('trunk');
    const file = await forgelog.get(`${at(project, 'README.md')}/raw`);
    expect(file.text).toBe('hello\n');
    const elsewhere = await forgelog.post(at(project, 'x'), { ...sent, branch: 'other' });
    expect(elsewhere.status).toBe(400);
  });

  test('is visible to the next request of any caller', async () => {
    const project = await filled();
    for (let turn = 0; turn < 5; turn += 1) {
      const sent = { branch: 'main', content: `turn ${turn}`, commit_message: `Turn ${turn}` };
      await forgelog.put(at(project, 'plain.txt'), sent);
      expect((await forgelog.get(`${at(project, 'plain.txt')}/raw`)).text).toBe(`turn ${turn}`);
    }
  });

  test('a refused write changes nothing', async () => {
    const project = await filled();
    const head = git(project.gitDir, 'rev-parse', 'main');
    const count = (await eventsOf(project)).length;
    const sent = { branch: 'main', content: 'x', commit_message: 'm' };
    const plain = git(project.gitDir, 'show', 'main:plain.txt');
    const exists = { message: 'A file with this name already exists' };
    const missing = { message: "A file with this name doesn't exist" };
    const offBranch = { message: 'You can only create or edit files when you are on a branch' };
    const changed = {
      message: 'You are attempting to update a file that has changed since you started editing it.',
    };
    const table: [string, string, Record<string, unknown>, object][] = [
      ['POST', 'plain.txt', sent, exists],
      ['POST', 'plain.txt/below', sent, exists],
      ['POST', 'Größe', sent, { message: 'A directory with this name already exists' }],
      ['PUT', 'nothing', sent, missing],
      ['PUT', 'Größe', sent, missing],
      ['DELETE', 'nothing', sent, missing],
      ['DELETE', 'Größe', sent, missing],
      ['PUT', 'plain.txt', { ...sent, content: `${plain}\n` }, FAILED],
      ['PUT', 'plain.txt', { ...sent, last_commit_id: git(source, 'rev-parse', 'v1.0.0') }, changed],
      ['PUT', 'plain.txt', { ...sent, last_commit_id: 'nonsense' }, changed],
      ['DELETE', 'plain.txt', { ...sent, last_commit_id: git(source, 'rev-parse', 'v1.0.0') }, changed],
      ['POST', 'x', { ...sent, branch: 'nothing' }, offBranch],
      ['POST', 'x', { ...sent, branch: 'v1.0.0' }, offBranch],
      ['POST', 'x', { ...sent, branch: '-x', start_branch: 'main' }, offBranch],
      ['POST', 'x', { ...sent, branch: 'a..b', start_branch: 'main' }, offBranch],
      ['POST', 'x', { ...sent, branch: 'feature', start_branch: 'main' }, FAILED],
      ['POST', 'x', { content: 'x' }, { error: 'branch is missing, commit_message is missing' }],
      ['POST', 'x', { branch: 'main', commit_message: 'm' }, { error: 'content is missing' }],
      ['POST', 'x', { ...sent, branch: '' }, { error: 'branch is empty' }],
      ['POST', 'x', { ...sent, commit_message: '' }, { error: 'commit_message is empty' }],
      ['DELETE', 'plain.txt', {}, { error: 'branch is missing, commit_message is missing' }],
      ['POST', 'x', { ...sent, encoding: 'rot13' }, { error: 'encoding does not have a valid value' }],
      ['POST', 'x', { ...sent, encoding: 'base64', content: 'a' }, { error: 'content is invalid' }],
      ['POST', 'x', { ...sent, encoding: 'base64', content: '####' }, { error: 'content is invalid' }],
      ['POST', 'x', { ...sent, encoding: 'base64', content: 'YQ' }, { error: 'content is invalid' }],
      ['POST', 'x', { ...sent, encoding: 'base64', content: 'Y=Q=' }, { error: 'content is invalid' }],
      ['POST', 'x', { ...sent, encoding: 'base64', content: 'YQ-_' }, { error: 'content is invalid' }],
      ...[
        '../x',
        'a/../../x',
        'a/../b',
        'a/./b',
        './x',
        '/',
        '.git/config',
        'a/.GIT/hooks/post-update',
        '.git ',
        'git~1/x',
        '.g\u200cit/x',
        'a\\..\\b',
        'x'.repeat(256),
      ].map((path): [string, string, Record<string, unknown>, object] => ['POST', path, sent, FAILED]),
    ];
    for (const [method, path, json, body] of table) {
      const answer = await forgelog.call(method, at(project, path), { json });
      expect([method, path, json, answer.status, answer.body]).toEqual([method, path, json, 400, body]);
    }
    expect(git(project.gitDir, 'rev-parse', 'main')).toBe(head);
    expect((await eventsOf(project)).length).toBe(count);
  });

  test('leading, trailing and repeated slashes are ignored', async () => {
    const project = await filled();
    const sent = { branch: 'main', content: 'x', commit_message: 'm' };
    expect((await forgelog.post(at(project, '/up//there/'), sent)).body.file_path).toBe('up/there');
    expect((await forgelog.get(`${at(project, '//up/there')}?ref=main`)).body.file_path).toBe('up/there');
  });

  test('base64 may contain line breaks', async () => {
    const project = await filled();
    const content = Buffer.alloc(200, 'long ').toString('base64').replace(/.{60}/g, '$&\n');
    const sent = { branch: 'main', content, encoding: 'base64', commit_message: 'm' };
    expect((await forgelog.post(at(project, 'lines'), sent)).status).toBe(201);
    expect(git(project.gitDir, 'show', 'main:lines')).toBe('long '.repeat(40));
  });

  test('of several megabytes is stored unchanged', async () => {
    const project = await filled();
    const content = Buffer.alloc(9 * 1024 * 1024, 'a line of text\n');
    content.writeUInt8(0, content.length - 1);
    const sent = {
      branch: 'main',
      content: content.toString('base64'),
      encoding: 'base64',
      commit_message: 'Large',
    };
    expect((await forgelog.post(at(project, 'large.bin'), sent)).status).toBe(201);
    const raw = await fetch(`${forgelog.url}/api/v4${at(project, 'large.bin')}/raw`, {
      headers: { 'PRIVATE-TOKEN': forgelog.rootToken },
    });
    expect(raw.headers.get('content-length')).toBe(String(content.length));
    expect(raw.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.from(await raw.arrayBuffer()).equals(content)).toBe(true);
    const record = await forgelog.get(`${at(project, 'large.bin')}?ref=main`);
    expect(Buffer.from(record.body.content, 'base64').equals(content)).toBe(true);
    const head = await forgelog.call('HEAD', `${at(project, 'large.bin')}?ref=main`);
    expect(head.headers.get('x-service-content-sha256')).toBe(record.body.content_sha256);
    const blame = await forgelog.get(`${at(project, 'large.bin')}/blame?ref=main`);
    expect(blame.status).toBe(413);
  });

  test('above the limit is refused before it is read', async () => {
    const project = await filled();
    const answer = await fetch(`${forgelog.url}/api/v4${at(project, 'x')}`, {
      method: 'POST',
      headers: { 'PRIVATE-TOKEN': forgelog.rootToken, 'Content-Type': 'application/json' },
      body: new ReadableStream({
        pull(controller) {
          controller.enqueue(Buffer.alloc(8 * 1024 * 1024, ' '));
        },
      }),
      duplex: 'half',
    } as RequestInit).then(
      async (response) => ({ status: response.status, body: await response.json() }),
      () => ({ status: 413, body: null }), // the connection broke while the client was still sending
    );
    expect(answer.status).toBe(413);
  });

  test('one of a hundred concurrent writers on one state succeeds', async () => {
    const project = await filled();
    const last = git(source, 'rev-list', '-1', 'main', '--', 'plain.txt');
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, writer) =>
        forgelog.put(at(project, 'plain.txt'), {
          branch: 'main',
          content: `writer ${writer}`,
          commit_message: `Writer ${writer}`,
          last_commit_id: last,
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(99);
    expect(git(project.gitDir, 'rev-list', '--count', `${git(source, 'rev-parse', 'main')}..main`)).toBe('1');
  });

  test('thirty concurrent writers of different files lose nothing', async () => {
    const project = await filled();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, writer) =>
        forgelog.post(at(project, `of-${writer}`), {
          branch: 'main',
          content: `writer ${writer}`,
          commit_message: `Writer ${writer}`,
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const names = git(project.gitDir, 'ls-tree', '--name-only', 'main').split('\n');
    expect(names.filter((name) => name.startsWith('of-'))).toHaveLength(30);
  });
});

describe('several files', () => {
  const commit = (project: TestProject, json: object) => forgelog.post(`${project.at}/commits`, json);

  test('every kind of action in one commit', async () => {
    const project = await filled();
    const before = git(project.gitDir, 'rev-parse', 'main');
    const { status, body } = await commit(project, {
      branch: 'main',
      commit_message: 'Everything at once',
      author_name: 'Bo',
      author_email: 'bo@example.org',
      actions: [
        { action: 'create', file_path: 'new/a', content: 'a\n' },
        {
          action: 'create',
          file_path: 'new/b.sh',
          content: 'YgoK',
          encoding: 'base64',
          execute_filemode: true,
        },
        { action: 'update', file_path: 'plain.txt', content: 'updated\n' },
        { action: 'delete', file_path: 'crlf.txt' },
        { action: 'move', file_path: 'moved/latin', previous_path: 'latin1.txt' },
        { action: 'move', file_path: 'moved/end', previous_path: 'no-newline', content: 'with a new end\n' },
        { action: 'chmod', file_path: 'script.sh', execute_filemode: false },
        { action: 'update', file_path: 'new/a', content: 'a again\n' },
      ],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: git(project.gitDir, 'rev-parse', 'main'),
      parent_ids: [before],
      title: 'Everything at once',
      author_name: 'Bo',
      committer_name: 'Administrator',
      project_id: project.id,
      last_pipeline: null,
    });
    const numstat = git(project.gitDir, 'show', '-M', '--numstat', '--format=', 'main').split('\n');
    const sum = (at: number) =>
      numstat.reduce((total, line) => total + (Number(line.split('\t')[at]) || 0), 0);
    expect(body.stats).toEqual({ additions: sum(0), deletions: sum(1), total: sum(0) + sum(1) });
    const entry = (path: string) => git(project.gitDir, 'ls-tree', 'main', path).slice(0, 6);
    expect(['new/b.sh', 'script.sh', 'crlf.txt', 'latin1.txt', 'moved/latin'].map(entry)).toEqual([
      '100755',
      '100644',
      '',
      '',
      '100644',
    ]);
    expect(git(project.gitDir, 'show', 'main:new/a')).toBe('a again');
    expect(git(project.gitDir, 'show', 'main:moved/end')).toBe('with a new end');
    git(project.gitDir, 'fsck', '--strict');
    expect((await eventsOf(project)).at(-1)).toMatchObject({ ref: 'refs/heads/main', oldOid: before });
  });

  test('on a new branch, and forced onto an existing one', async () => {
    const project = await filled();
    const actions = [{ action: 'create', file_path: 'n', content: 'n' }];
    const start_sha = git(source, 'rev-parse', 'v1.0.0');
    const onto = await commit(project, { branch: 'from-sha', start_sha, commit_message: 'm', actions });
    expect(onto.body.parent_ids).toEqual([start_sha]);
    const refused = await commit(project, { branch: 'from-sha', start_sha, commit_message: 'm', actions });
    expect(refused.status).toBe(400);
    const forced = await commit(project, {
      branch: 'from-sha',
      start_branch: 'feature/one',
      force: true,
      commit_message: 'm',
      actions,
      stats: false,
    });
    expect(forced.status).toBe(201);
    expect(forced.body.stats).toBeUndefined();
    expect(forced.body.parent_ids).toEqual([git(source, 'rev-parse', 'feature/one')]);
    expect(git(project.gitDir, 'rev-parse', 'from-sha')).toBe(forced.body.id);
    const both = await commit(project, {
      branch: 'x',
      start_branch: 'main',
      start_sha,
      commit_message: 'm',
      actions,
    });
    expect(both.body).toEqual({ error: 'start_branch, start_sha are mutually exclusive' });
  });

  test('starts from another project if the caller may read it', async () => {
    const from = await filled();
    const project = await newProject(forgelog, 'starts-elsewhere');
    const actions = [{ action: 'create', file_path: 'n', content: 'n' }];
    const sent = { branch: 'taken', start_branch: 'feature/one', commit_message: 'm', actions };
    const { status, body } = await commit(project, { ...sent, start_project: `root/filled-${number}` });
    expect([status, body.parent_ids]).toEqual([201, [git(source, 'rev-parse', 'feature/one')]]);
    git(project.gitDir, 'fsck', '--strict', '--connectivity-only');
    const outsider = await createUser(forgelog);
    const own = await forgelog.post('/projects', { path: 'own' }, { token: outsider.token });
    const path = `/projects/${own.body.id}/repository/commits`;
    const refused = await forgelog.post(path, { ...sent, start_project: from.id }, { token: outsider.token });
    expect([refused.status, refused.body]).toEqual([404, { message: '404 Project Not Found' }]);
  });

  test('is the first commit of an empty repository', async () => {
    const project = await newProject(forgelog, 'first-actions');
    const actions = [{ action: 'create', file_path: 'a/b', content: 'x' }];
    const { status, body } = await commit(project, { branch: 'main', commit_message: 'm', actions });
    expect([status, body.parent_ids]).toEqual([201, []]);
    expect((await forgelog.get(`${project.at}/branches/main`)).body).toMatchObject({ default: true });
  });

  test('is atomic', async () => {
    const project = await filled();
    const head = git(project.gitDir, 'rev-parse', 'main');
    const good = { action: 'create', file_path: 'good', content: 'x' };
    const exists = { message: 'A file with this name already exists' };
    const missing = { message: "A file with this name doesn't exist" };
    for (const [action, body] of [
      [{ action: 'create', file_path: 'plain.txt', content: 'x' }, exists],
      [good, exists],
      [{ action: 'create', file_path: 'good/below', content: 'x' }, exists],
      [{ action: 'update', file_path: 'nothing', content: 'x' }, missing],
      [{ action: 'delete', file_path: 'nothing' }, missing],
      [{ action: 'move', file_path: 'x', previous_path: 'nothing' }, missing],
      [{ action: 'move', file_path: 'plain.txt', previous_path: 'empty' }, exists],
      [{ action: 'chmod', file_path: 'nothing', execute_filemode: true }, missing],
      [{ action: 'create', file_path: '../x', content: 'x' }, FAILED],
      [{ action: 'move', file_path: '.git/x', previous_path: 'empty' }, FAILED],
      [{ action: 'create', file_path: 'x' }, { error: 'actions[1][content] is missing' }],
      [{ action: 'move', file_path: 'x' }, { error: 'actions[1][previous_path] is missing' }],
      [{ action: 'chmod', file_path: 'plain.txt' }, { error: 'actions[1][execute_filemode] is missing' }],
      [
        { action: 'create', file_path: 'x', content: '#', encoding: 'base64' },
        { error: 'actions[1][content] is invalid' },
      ],
      [
        { action: 'update', file_path: 'plain.txt', content: 'x', last_commit_id: head },
        { message: 'You are attempting to update a file that has changed since you started editing it.' },
      ],
    ] as const) {
      const sent = { branch: 'main', commit_message: 'm', actions: [good, action] };
      const answer = await commit(project, sent);
      expect([action, answer.status, answer.body]).toEqual([action, 400, body]);
    }
    const odd = await commit(project, {
      branch: 'main',
      commit_message: 'm',
      actions: [{ action: 'burn', file_path: 'x' }],
    });
    expect([odd.status, odd.body.error]).toEqual([400, expect.stringContaining('actions is invalid')]);
    expect((await commit(project, { branch: 'main', commit_message: 'm', actions: [] })).body).toEqual({
      error: 'actions is empty',
    });
    expect((await commit(project, {})).body).toEqual({
      error: 'branch is missing, commit_message is missing, actions is missing',
    });
    expect(git(project.gitDir, 'rev-parse', 'main')).toBe(head);
  });
});
