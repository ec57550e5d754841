import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser, type TestUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { addressOf, git } from '../support/stock-git.ts';

/* semantic-release and Renovate as they are, which `npm run test:real` installs: they ask nobody but the server. */

const { SEMANTIC_RELEASE, RENOVATE } = process.env;
const isNone = !SEMANTIC_RELEASE && !RENOVATE;

let forgelog: Forgelog;
let home: string;
let ann: TestUser;

beforeAll(async () => {
  if (isNone) return;
  forgelog = await startForgelog();
  home = await mkdtemp(join(tmpdir(), 'forgelog-release-clients-'));
  ann = await createUser(forgelog, { username: 'ann' });
});

afterAll(async () => {
  if (isNone) return;
  await forgelog.stop();
  await rm(home, { recursive: true, force: true });
});

/** A project with these files on `main`, and a folder that it is pushed from. */
async function begin(name: string, files: Record<string, string>) {
  const { body } = await forgelog.post('/projects', { name }, ann);
  const folder = join(home, name);
  await git(home, 'init', '-q', '-b', 'main', name);
  const address = addressOf(forgelog, body.path_with_namespace, { name: ann.username, secret: ann.token });
  await git(folder, 'remote', 'add', 'origin', address);
  const project = { id: body.id as number, url: body.http_url_to_repo as string, folder };
  await commit(folder, 'feat: begin', files);
  await git(folder, 'push', '-q', 'origin', 'main');
  return project;
}

async function commit(folder: string, message: string, files: Record<string, string>) {
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content);
  await git(folder, 'add', '.');
  await git(folder, 'commit', '-q', '-m', message);
}

async function run(folder: string, program: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, program, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...{ PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: home, NO_COLOR: '1' },
      ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0', ...env },
    },
  });
  const ended = once(child, 'close');
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return { code, told: out + errors };
}

const list = async (path: string) => (await forgelog.get(path, ann)).body;

test.skipIf(!SEMANTIC_RELEASE)('semantic-release releases what was merged, and tells of it', async () => {
  const config = (plugin: string) => ({
    branches: ['main'],
    plugins: [
      ...[plugin, '@semantic-release/commit-analyzer', '@semantic-release/release-notes-generator'],
      [
        '@semantic-release/gitlab',
        {
          gitlabUrl: forgelog.url,
          assets: [
            { path: 'pump.bin', label: 'Pump' },
            { path: 'pump.txt', label: 'pump.txt', target: 'generic_package' },
            { url: 'https://example.org/manual', label: 'Manual', type: 'other' },
          ],
        },
      ],
    ],
  });
  const fails = `const error = Object.assign(new Error('Not today'), { name: 'SemanticReleaseError', semanticRelease: true, code: 'E' });
    export const verifyConditions = () => { throw error; };`;
  const { id, url, folder } = await begin('pump', {
    ...{ '.releaserc.json': JSON.stringify(config('./fails.mjs')), 'fails.mjs': fails },
    ...{ 'passes.mjs': 'export const verifyConditions = () => {};' },
  });
  const release = () =>
    run(
      folder,
      [
        join(SEMANTIC_RELEASE!, 'node_modules/semantic-release/bin/semantic-release.js'),
        ...['--no-ci', '--repository-url', url],
      ],
      { GL_TOKEN: ann.token },
    );

  // A failure opens an issue, and the next one is told there.
  expect((await release()).told).toContain('Created issue');
  expect((await release()).told).toContain('Commented on issue');
  expect(await list(`/projects/${id}/issues`)).toMatchObject([
    { title: 'The automated release is failing 🚨', labels: ['semantic-release'], user_notes_count: 1 },
  ]);

  await forgelog.post(`/projects/${id}/issues`, { title: 'It leaks' }, ann);
  await git(folder, 'checkout', '-q', '-b', 'fix');
  const next = JSON.stringify(config('./passes.mjs'));
  await commit(folder, 'fix: stop leaking', {
    '.releaserc.json': next,
    'pump.bin': '\0',
    'pump.txt': 'text',
  });
  await git(folder, 'push', '-q', 'origin', 'fix');
  const request = { source_branch: 'fix', target_branch: 'main', title: 'Fix', description: 'Closes #2' };
  await forgelog.post(`/projects/${id}/merge_requests`, request, ann);
  expect((await forgelog.put(`/projects/${id}/merge_requests/1/merge`, {}, ann)).status).toBe(200);
  await git(folder, 'checkout', '-q', 'main');
  await git(folder, 'pull', '-q', 'origin', 'main');

  const { code, told } = await release();
  expect([code, told]).toEqual([0, expect.stringContaining('Published release 1.0.0')]);
  const [released] = await list(`/projects/${id}/releases`);
  expect(released).toMatchObject({
    ...{ tag_name: 'v1.0.0', description: expect.stringContaining('stop leaking') },
    commit: { id: await git(folder, 'rev-parse', 'main') },
  });
  const links = new Map<string, string>(
    released.assets.links.map(({ name, url: at }: { name: string; url: string }) => [name, at]),
  );
  expect([...links.keys()].toSorted()).toEqual(['Manual', 'Pump', 'pump.txt']);
  const packaged = await fetch(links.get('pump.txt')!, { headers: { 'PRIVATE-TOKEN': ann.token } });
  expect([packaged.status, await packaged.text()]).toEqual([200, 'text']);
  const uploaded = await fetch(links.get('Pump')!, { headers: { 'PRIVATE-TOKEN': ann.token } });
  expect([uploaded.status, await uploaded.text()]).toEqual([200, '\0']);
  for (const [noun, iid, words] of [
    ['issues', 2, 'This issue has been resolved in version 1.0.0'],
    ['merge_requests', 1, 'This MR is included in version 1.0.0'],
  ] as const) {
    const notes: { body: string }[] = await list(`/projects/${id}/${noun}/${iid}/notes`);
    expect(notes.map(({ body }) => body)).toContainEqual(expect.stringContaining(words));
  }
});

test.skipIf(!RENOVATE)('Renovate opens a merge request for an update, and leaves it be', async () => {
  const library = await begin('library', { 'a.txt': 'a' });
  await git(library.folder, 'tag', '1.0.0');
  await commit(library.folder, 'feat: more', { 'a.txt': 'b' });
  await git(library.folder, 'tag', '1.1.0');
  await git(library.folder, 'push', '-q', 'origin', 'main', '--tags');
  const { id, folder } = await begin('user', { 'versions.txt': 'library=1.0.0\n' });
  const config = {
    ...{ platform: 'gitlab', endpoint: `${forgelog.url}/api/v4/`, token: ann.token },
    ...{ onboarding: false, requireConfig: 'optional', repositories: ['ann/user'] },
    ...{ baseDir: join(home, 'renovate'), gitAuthor: 'Renovate <renovate@example.org>' },
    ...{ enabledManagers: ['custom.regex'], dependencyDashboard: true, labels: ['update'] },
    customManagers: [
      {
        ...{ customType: 'regex', managerFilePatterns: ['/versions.txt/'] },
        matchStrings: ['library=(?<currentValue>.*)\\n'],
        ...{ depNameTemplate: 'ann/library', datasourceTemplate: 'gitlab-tags' },
        ...{ registryUrlTemplate: forgelog.url, versioningTemplate: 'semver' },
      },
    ],
  };
  const file = join(home, 'renovate.json');
  await writeFile(file, JSON.stringify(config));
  const program = [join(RENOVATE!, 'node_modules/renovate/dist/renovate.js')];
  const update = async () => {
    const { code, told } = await run(folder, program, { RENOVATE_CONFIG_FILE: file, LOG_LEVEL: 'info' });
    expect([code, told]).toEqual([0, expect.not.stringMatching(/ERROR|FATAL/)]);
  };
  const requests = () => list(`/projects/${id}/merge_requests?state=opened`);

  await update();
  const [request, ...others] = await requests();
  expect(others).toEqual([]);
  expect(request).toMatchObject({
    ...{ title: expect.stringContaining('v1.1.0'), labels: ['update'], target_branch: 'main' },
    ...{ detailed_merge_status: 'mergeable', source_branch: 'renovate/ann-library-1.x' },
  });
  await git(folder, 'fetch', '-q', 'origin');
  expect(await git(folder, 'show', `origin/${request.source_branch}:versions.txt`)).toBe('library=1.1.0');
  expect(await list(`/projects/${id}/issues`)).toMatchObject([{ title: 'Dependency Dashboard' }]);

  await update();
  const [again] = await requests();
  expect([again.iid, again.sha]).toEqual([request.iid, request.sha]);
  expect((await forgelog.put(`/projects/${id}/merge_requests/${request.iid}/merge`, {}, ann)).status).toBe(
    200,
  );
  await update();
  expect(await requests()).toEqual([]);
  const { body: branch } = await forgelog.get(`/projects/${id}/repository/branches`, ann);
  expect(branch.map(({ name }: { name: string }) => name)).toEqual(['main']);
});
