import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser, type TestUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { addressOf, git } from '../support/stock-git.ts';

/* Stock glab, which asks for the repository it stands in by its remote. `npm run test:real` builds it. */

const { GLAB } = process.env;

let forgelog: Forgelog;
let home: string;
let ann: TestUser;
let bob: TestUser;
let projectId: number;

beforeAll(async () => {
  if (!GLAB) return;
  forgelog = await startForgelog();
  home = await mkdtemp(join(tmpdir(), 'forgelog-glab-'));
  ann = await createUser(forgelog, { username: 'ann' });
  bob = await createUser(forgelog, { username: 'bob' });
  const { body } = await forgelog.post('/projects', { name: 'pump' }, ann);
  projectId = body.id;
  await forgelog.post(`/projects/${projectId}/members`, { user_id: bob.id, access_level: 40 }, ann);
  await git(home, 'init', '-q', '-b', 'main', 'work');
  const address = addressOf(forgelog, body.path_with_namespace, { name: ann.username, secret: ann.token });
  await git(folder(), 'remote', 'add', 'origin', address);
  await write('readme.md', 'A pump\n', 'Begin');
  await git(folder(), 'push', '-q', 'origin', 'main');
  // It knows a host by its name alone.
  const { host, hostname } = new URL(forgelog.url);
  const lines = ['git_protocol: http', 'check_update: false', 'hosts:', `  ${hostname}:`];
  const ofHost = ['api_protocol: http', 'git_protocol: http', `api_host: ${host}`];
  const config = [...lines, ...ofHost.map((line) => `    ${line}`)].join('\n');
  await writeFile(join(home, 'config.yml'), config, { mode: 0o600 });
});

afterAll(async () => {
  if (!GLAB) return;
  await forgelog.stop();
  await rm(home, { recursive: true, force: true });
});

const folder = () => join(home, 'work');

async function write(name: string, content: string, message: string) {
  await writeFile(join(folder(), name), content);
  await git(folder(), 'add', '.');
  await git(folder(), 'commit', '-q', '-m', message);
}

/** What glab prints, without colours. */
async function glab(user: TestUser, ...args: string[]): Promise<string> {
  const child = spawn(GLAB!, args, {
    cwd: folder(),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...{ PATH: process.env.PATH, HOME: home, GLAB_CONFIG_DIR: home, GITLAB_TOKEN: user.token },
      ...{ NO_COLOR: '1', NO_PROMPT: '1', GIT_CONFIG_NOSYSTEM: '1' },
    },
  });
  const ended = once(child, 'close');
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  expect(code, `glab ${args.join(' ')}: ${out}${errors}`).toBe(0);
  return out + errors;
}

const request = async () => (await forgelog.get(`/projects/${projectId}/merge_requests/1`, ann)).body;

test.skipIf(!GLAB)('glab lives a merge request from its branch to its merge', async () => {
  await glab(ann, 'label', 'create', '--name', 'greeting', '--color', '#d9534f');
  expect(await glab(ann, 'label', 'list')).toContain('greeting');
  await glab(ann, 'issue', 'create', '-t', 'Greet', '-d', 'Nobody greets', '-l', 'greeting', '-y');
  await git(folder(), 'checkout', '-q', '-b', 'topic');
  await write('hello.txt', 'hello\n', 'Greet people');
  await git(folder(), 'push', '-q', 'origin', 'topic');
  const text = ['-t', 'Greet', '-d', 'Closes #1', '-l', 'greeting', '-a', 'ann', '--reviewer', 'bob'];
  const made = await glab(ann, 'mr', 'create', ...text, '--draft', '--remove-source-branch', '-y');
  expect(made).toContain(`${forgelog.url}/ann/pump/-/merge_requests/1`);

  expect(await glab(ann, 'mr', 'list')).toContain('!1\tDraft: Greet\t(main) ← (topic)');
  const seen = await glab(bob, 'mr', 'view', 'topic');
  for (const line of ['state:\topen', 'author:\tann', 'labels:\tgreeting', 'reviewers:\tbob', 'Closes #1'])
    expect(seen).toContain(line);
  expect(await glab(ann, 'mr', 'diff', '1', '--color', 'never')).toContain('@@ -0,0 +1 @@\n+hello\n');
  expect(await glab(ann, 'mr', 'issues', '1')).toContain('#1\tGreet');
  await glab(bob, 'mr', 'note', '1', '-m', 'Looks good');
  await glab(bob, 'mr', 'unsubscribe', '1');
  await glab(bob, 'mr', 'subscribe', '1');
  await glab(ann, 'mr', 'todo', '1');
  await glab(ann, 'mr', 'close', '1');
  await glab(ann, 'mr', 'reopen', '1');
  await git(folder(), 'checkout', '-q', 'main');
  await write('other.txt', 'other\n', 'Move on');
  await git(folder(), 'push', '-q', 'origin', 'main');
  await glab(ann, 'mr', 'rebase', '1');
  expect((await request()).diff_refs.base_sha).toBe(await git(folder(), 'rev-parse', 'main'));
  await git(folder(), 'branch', '-q', '-D', 'topic');
  await glab(ann, 'mr', 'checkout', '1');
  expect(await git(folder(), 'log', '--format=%s', '-3')).toBe('Greet people\nMove on\nBegin');
  await glab(ann, 'mr', 'update', '1', '--ready', '-l', 'second', '--unlabel', 'greeting', '-a', '+bob');
  expect(await request()).toMatchObject({ draft: false, labels: ['second'], user_notes_count: 1 });
  await glab(bob, 'mr', 'approve', '1');
  expect((await forgelog.get(`/projects/${projectId}/merge_requests/1/approvals`, ann)).body).toMatchObject({
    approved_by: [{ user: { username: 'bob' } }],
  });
  await glab(bob, 'mr', 'revoke', '1');
  expect(await glab(bob, 'mr', 'list', '-a', '@me', '-l', 'second')).toContain('!1\tGreet');
  const squash = ['--squash', '--squash-message', 'Greet all', '--when-pipeline-succeeds=false'];
  await glab(ann, 'mr', 'merge', '1', ...squash, '-y');
  expect(await request()).toMatchObject({ state: 'merged', merged_by: { username: 'ann' } });
  await git(folder(), 'checkout', '-q', 'main');
  await git(folder(), 'pull', '-q', 'origin', 'main');
  expect(await git(folder(), 'log', '--format=%s', '-1', 'HEAD^2')).toBe('Greet all');
  await expect.poll(() => glab(ann, 'issue', 'view', '1')).toContain('state:\tclosed');
  await expect.poll(() => git(folder(), 'ls-remote', '--heads', 'origin', 'topic')).toBe('');
});

test.skipIf(!GLAB)('glab keeps issues, and asks for a request that closes one', async () => {
  await glab(ann, 'issue', 'create', '-t', 'Leak', '-d', 'It drips', '-a', 'bob', '-y');
  expect(await glab(bob, 'issue', 'list', '-a', 'bob')).toContain('Leak');
  const [{ iid }] = (await forgelog.get(`/projects/${projectId}/issues?search=Leak`, ann)).body;
  const issue = `${iid}`;
  await glab(bob, 'issue', 'note', issue, '-m', 'Where?');
  await glab(bob, 'issue', 'update', issue, '-t', 'Leaks', '-l', 'wet');
  const seen = await glab(bob, 'issue', 'view', issue);
  for (const line of ['title:\tLeaks', 'labels:\twet', 'comments:\t1', 'assignees:\tbob', 'It drips'])
    expect(seen).toContain(line);
  await glab(bob, 'issue', 'unsubscribe', issue);
  await glab(bob, 'issue', 'close', issue);
  await glab(bob, 'issue', 'reopen', issue);
  await glab(ann, 'mr', 'for', issue, '--with-labels');
  const [opened] = (await forgelog.get(`/projects/${projectId}/merge_requests?labels=wet`, ann)).body;
  expect(opened).toMatchObject({ title: 'Draft: Resolve "Leaks"', description: `Closes #${iid}` });
  await glab(ann, 'mr', 'delete', `${opened.iid}`);
  await glab(ann, 'issue', 'delete', issue);
  expect(await glab(ann, 'issue', 'list')).not.toContain('Leaks');
});

test.skipIf(!GLAB)('glab sets variables, runs a pipeline and looks at it', async () => {
  await glab(ann, 'variable', 'set', 'COLOUR', 'red');
  await glab(ann, 'variable', 'update', 'COLOUR', 'blue', '--protected');
  expect(await glab(ann, 'variable', 'list')).toContain('COLOUR\ttrue\tfalse\t*');
  await glab(ann, 'variable', 'delete', 'COLOUR');
  await write('.gitlab-ci.yml', 'check: {script: make check}\n', 'Check');
  expect(await glab(ann, 'ci', 'lint')).toContain('is Valid!');
  await git(folder(), 'push', '-q', 'origin', 'main');
  expect(await glab(ann, 'ci', 'run', '-b', 'main', '--variables', 'FULL:yes')).toContain('status: pending');
  expect(await glab(ann, 'ci', 'list')).toContain('(pending)');
  expect(await glab(ann, 'ci', 'status', '-b', 'main')).toContain('Pipeline State: pending');
});

test.skipIf(!GLAB)('glab releases a version with a file, and takes it back', async () => {
  const assets = await mkdtemp(join(home, 'assets-'));
  await writeFile(join(folder(), 'notes.md'), 'The first\n');
  await glab(ann, 'release', 'create', 'v1.0', '-r', 'main', '-n', 'One', '-F', 'notes.md');
  await glab(ann, 'release', 'upload', 'v1.0', 'notes.md#Notes');
  const seen = await glab(ann, 'release', 'view', 'v1.0');
  for (const part of ['One', 'The first', `Notes\t${forgelog.url}`, 'pump-v1.0.zip'])
    expect(seen).toContain(part);
  expect(await glab(ann, 'release', 'list')).toContain('One\tv1.0');
  // It asks for its own uploads at a port that it does not know; the source archives it finds.
  await glab(ann, 'release', 'download', 'v1.0', '-D', assets);
  expect(await readdir(assets)).toContain('pump-v1.0.zip');
  const { links } = (await forgelog.get(`/projects/${projectId}/releases/v1.0`, ann)).body.assets;
  const uploaded = new URL(links[0].url).pathname;
  const headers = { 'PRIVATE-TOKEN': ann.token };
  expect(await (await fetch(`${forgelog.url}${uploaded}`, { headers })).text()).toBe('The first\n');
  await glab(ann, 'release', 'delete', 'v1.0', '-y', '-t');
  expect(await git(folder(), 'ls-remote', '--tags', 'origin')).toBe('');
});

test.skipIf(!GLAB)('glab finds a project, gets its archive and forks it', async () => {
  expect(await glab(bob, 'repo', 'view')).toContain('A pump');
  expect(await glab(bob, 'repo', 'search', '-s', 'pump')).toContain(`${forgelog.url}/ann/pump`);
  expect(await glab(bob, 'repo', 'contributors')).toContain('ann@example.org');
  await glab(bob, 'repo', 'archive', 'ann/pump', join(home, 'archive'));
  expect((await readFile(join(home, 'archive.zip'))).subarray(0, 2).toString()).toBe('PK');
  await glab(bob, 'repo', 'fork', 'ann/pump', '--clone=false', '--remote=false');
  expect((await forgelog.get('/projects/bob%2Fpump', bob)).body.forked_from_project.id).toBe(projectId);
  expect(await glab(bob, 'user', 'events')).toContain('Looks good');
  const [{ username }] = JSON.parse(await glab(bob, 'api', 'projects/:id/members'));
  expect(username).toBe('ann');
});
