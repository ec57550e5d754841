import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { givenVariables } from '@forgelog/ci/pipelines/given-variables.ts';
import { type PipelineRow, pipelines } from '@forgelog/ci/pipelines/pipelines.projection.ts';
import { asc, eq } from '@forgelog/eventing/query.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { git, projectToPush } from '../support/stock-git.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

const CONFIGURATION = `
j: {script: x}
changed: {script: x, rules: [{changes: [doc/*]}]}
release: {script: x, only: [tags]}
asked: {script: x, rules: [{if: $KEY}]}`;

async function made(projectId: number, on = forgelog): Promise<PipelineRow[]> {
  await on.system.projectors.policiesIdle();
  const { readStore } = on.portsOf('ci');
  return readStore.find(pipelines, { where: eq('projectId', projectId), sort: [asc('iid')], limit: 100 });
}

const refsOf = (rows: readonly PipelineRow[]) =>
  rows.map(({ ref, refKind, status }) => [refKind, ref, status]);

async function commitFile(folder: string, path: string, content: string, message = 'Change'): Promise<void> {
  await writeFile(join(folder, path), content);
  await git(folder, 'add', '-A');
  await git(folder, 'commit', '-q', '-m', message);
}

test('pushes, commits of the API, branches and tags make pipelines, deletions none, and skips skipped ones', async () => {
  const { id, folder } = await projectToPush(forgelog);
  await git(folder, 'push', '-q', 'origin', 'main');
  expect(await made(id)).toEqual([]);
  await commitFile(folder, '.gitlab-ci.yml', CONFIGURATION);
  await git(folder, 'push', '-q', 'origin', 'main');
  expect(refsOf(await made(id))).toEqual([['branch', 'main', 'pending']]);

  await git(folder, 'tag', '-a', 'v1', '-m', 'First');
  await git(folder, 'push', '-q', 'origin', 'v1', 'main:other');
  const [, ...two] = await made(id);
  expect(refsOf(two).sort()).toEqual([
    ['branch', 'other', 'pending'],
    ['tag', 'v1', 'pending'],
  ]);
  const sha = await git(folder, 'rev-parse', 'HEAD');
  expect(two.map((row) => row.sha)).toEqual([sha, sha]);

  const change = { branch: 'main', commit_message: 'Write', content: 'x' };
  expect((await forgelog.post(`/projects/${id}/repository/files/a.txt`, change)).status).toBe(201);
  expect(refsOf((await made(id)).slice(3))).toEqual([['branch', 'main', 'pending']]);

  await git(folder, 'push', '-q', 'origin', ':other', ':v1');
  await git(folder, 'push', '-q', '-o', 'ci.skip', 'origin', 'main:skipped');
  await commitFile(folder, 'b', 'b', 'Write [skip ci]');
  await git(folder, 'push', '-q', 'origin', 'main:silent');
  expect(refsOf((await made(id)).slice(4))).toEqual([
    ['branch', 'skipped', 'skipped'],
    ['branch', 'silent', 'skipped'],
  ]);
});

test('variables of push options reach the pipeline, and nothing else', async () => {
  const { id, folder } = await projectToPush(forgelog);
  await commitFile(folder, '.gitlab-ci.yml', 'asked: {script: x, rules: [{if: $KEY == "tell nobody"}]}');
  await git(folder, 'push', '-q', '-o', 'ci.variable=KEY=tell nobody', 'origin', 'main');
  const [row] = await made(id);
  expect(row).toMatchObject({ status: 'pending', projectId: id });
  const { open } = givenVariables(forgelog.portsOf('ci'));
  expect(open(row!, row!.sealedVariables)).toEqual([{ key: 'KEY', value: 'tell nobody', type: 'env_var' }]);
  const events = await forgelog.system.store.readAll({ after: '', limit: 10_000 });
  expect(JSON.stringify(events)).not.toContain('tell nobody');
});

test('variables of a pipeline by hand come in forms as in JSON', async () => {
  const { id, folder } = await projectToPush(forgelog);
  await commitFile(folder, '.gitlab-ci.yml', 'asked: {script: x, rules: [{if: $A == "1" && $B == "2"}]}');
  await git(folder, 'push', '-q', 'origin', 'main');
  const forms = [
    'ref=main&variables[][key]=A&variables[][value]=1&variables[][key]=B&variables[][value]=2',
    'ref=main&variables[A]=1&variables[B]=2',
    'ref=main&variables[0][key]=A&variables[0][value]=1&variables[1][key]=B&variables[1][value]=2',
  ];
  for (const form of forms) {
    const reply = await forgelog.call('POST', `/projects/${id}/pipeline`, {
      body: new URLSearchParams(form),
    });
    expect([form, reply.status]).toEqual([form, 201]);
  }
  expect(await made(id)).toHaveLength(3);
});

test('a project whose pipelines are switched off has none', async () => {
  const { id, folder } = await projectToPush(forgelog);
  const changed = await forgelog.put(`/projects/${id}`, { builds_access_level: 'disabled' });
  expect(changed.status).toBe(200);
  await commitFile(folder, '.gitlab-ci.yml', CONFIGURATION);
  await git(folder, 'push', '-q', 'origin', 'main');
  expect(await made(id)).toEqual([]);
});

test('a restart makes no second pipeline, and its policy loses no push', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'forgelog-pushed-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const first = await startForgelog({ dataDir });
  const { id, folder } = await projectToPush(first);
  await commitFile(folder, '.gitlab-ci.yml', CONFIGURATION);
  await git(folder, 'push', '-q', 'origin', 'main');
  // Stops while the policy may still be at work.
  await first.stop();
  for (let starts = 0; starts < 2; starts += 1) {
    const again = await startForgelog({ dataDir });
    expect(refsOf(await made(id, again))).toEqual([['branch', 'main', 'pending']]);
    await again.stop();
  }
});
