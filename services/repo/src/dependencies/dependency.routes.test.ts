import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  exportDependencies,
  listDependencies,
} from '@forgelog/contracts/repo/dependencies/dependency.api.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { RepoPorts } from '../ports.ts';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import type { AdvisoryDatabase } from './advisory-database.ts';
import { dependencyRoutes } from './dependency.routes.ts';
import { dependencySlice } from './dependency.slice.ts';
import { createDependencyLists } from './dependency-lists.ts';

const NOTHING_KNOWN = { lookup: async () => () => [] };

async function start(advisories: Pick<AdvisoryDatabase, 'lookup'> = NOTHING_KNOWN) {
  const lists = createDependencyLists();
  onTestFinished(() => lists.stop());
  const slice = defineSlice<RepoPorts>({ routes: [dependencyRoutes(lists, advisories)] });
  return { lists, ...(await startRepoSlices([slice], team)) };
}

test('dependencies of the default branch follow its pushes, by package manager', async () => {
  const { call, commit } = await start();
  const list = async (params: object = {}) =>
    (await call(listDependencies, { id: 7, ...params }, OWNER)).body as Record<string, unknown>[];
  expect(await list()).toEqual([]);
  await commit(7, 'main', {
    'requirements.txt': 'flask==3.0.0\n',
    'web/package-lock.json': JSON.stringify({
      packages: { 'node_modules/a': { version: '1.0.0', license: 'MIT' } },
    }),
    'node_modules/b/requirements.txt': 'hidden==1.0\n',
    'broken/composer.lock': '{',
  });
  const a = {
    name: 'a',
    version: '1.0.0',
    package_manager: 'npm',
    dependency_file_path: 'web/package-lock.json',
    vulnerabilities: [],
    licenses: [{ name: 'MIT', url: null }],
  };
  expect(await list()).toMatchObject([a, { name: 'flask', version: '3.0.0', package_manager: 'pip' }]);
  expect(await list({ package_manager: ['npm', 'maven'] })).toEqual([a]);
  expect(await list({ page: 2, per_page: 1 })).toMatchObject([{ name: 'flask' }]);
  await commit(7, 'other', { 'requirements.txt': 'other==1.0\n' });
  expect(await list({ package_manager: ['pip'] })).toMatchObject([{ name: 'flask' }]);
  await commit(7, 'main', { 'requirements.txt': 'flask==3.0.1\n' });
  expect(await list({ package_manager: ['pip'] })).toMatchObject([{ name: 'flask', version: '3.0.1' }]);
  expect(await call(listDependencies, { id: 7 }, OUTSIDER)).toMatchObject({ status: 404 });
});

test('an export is of the newest push, and of a project without commits it is empty', async () => {
  const { call, commit } = await start();
  const exported = async (as = REPORTER) => {
    const { status, body, headers } = await call(exportDependencies, { id: 7 }, as);
    const bom =
      status === 200 ? JSON.parse(String(body instanceof Buffer ? body : JSON.stringify(body))) : null;
    return { status, headers, bom };
  };
  expect((await exported()).bom).toMatchObject({ specVersion: '1.5', components: [] });
  const sha = await commit(7, 'main', { 'requirements.txt': 'flask==3.0.0\n' });
  const { headers, bom } = await exported();
  expect(headers['content-type']).toBe('application/vnd.cyclonedx+json; version=1.5');
  expect(headers['content-disposition']).toContain('.cdx.json');
  expect(bom.metadata.component.version).toBe(sha);
  expect(bom.components).toMatchObject([{ name: 'flask', purl: 'pkg:pypi/flask@3.0.0' }]);
  expect((await exported(OUTSIDER)).status).toBe(404);
});

test('who is below Developer does not see vulnerabilities', async () => {
  const { call, commit } = await start();
  await commit(7, 'main', { 'requirements.txt': 'flask==3.0.0\n' });
  const seenBy = async (user: number) => (await call(listDependencies, { id: 7 }, user)).body as object[];
  expect(await seenBy(DEVELOPER)).toEqual([expect.objectContaining({ name: 'flask', vulnerabilities: [] })]);
  expect((await seenBy(REPORTER))[0]).not.toHaveProperty('vulnerabilities');
});

test('a package that a database knows is shown with what it says, to Developers alone', async () => {
  const found = { name: 'GHSA-1: Bad', severity: 'high' } as const;
  const asked: string[] = [];
  const { call, commit } = await start({
    lookup: async () => (one) => {
      asked.push(`${one.manager} ${one.name} ${one.version}`);
      return one.name === 'flask' ? [found] : [];
    },
  });
  await commit(7, 'main', { 'requirements.txt': 'flask==3.0.0\nother==1.0\n' });
  expect((await call(listDependencies, { id: 7 }, DEVELOPER)).body).toMatchObject([
    { name: 'flask', vulnerabilities: [found] },
    { name: 'other', vulnerabilities: [] },
  ]);
  expect((await call(listDependencies, { id: 7, per_page: 1, page: 2 }, DEVELOPER)).status).toBe(200);
  expect(asked).toEqual(['pip flask 3.0.0', 'pip other 1.0', 'pip other 1.0']);
  expect((await call(listDependencies, { id: 7 }, REPORTER)).body[0]).not.toHaveProperty('vulnerabilities');
  expect(asked).toHaveLength(3);
});

test.each([
  ['ultimate', [{ name: 'GHSA-1', severity: 'unknown' }]],
  ['premium', []],
] as const)('in the %s edition a folder of the operator says %j', async (EDITION, vulnerabilities) => {
  const folder = await mkdtemp(join(tmpdir(), 'advisories-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const affected = [{ package: { ecosystem: 'PyPI', name: 'flask' }, versions: ['3.0.0'] }];
  await writeFile(join(folder, 'GHSA-1.json'), JSON.stringify({ id: 'GHSA-1', affected }));
  const slice = dependencySlice();
  const environment = { VULNERABILITY_DATABASE: folder, EDITION };
  const { call, commit, repo } = await startRepoSlices([slice], team, undefined, environment);
  onTestFinished(async () => {
    for (const worker of slice.workers) await worker(repo).stop();
  });
  await commit(7, 'main', { 'requirements.txt': 'flask==3.0.0\n' });
  expect((await call(listDependencies, { id: 7 }, DEVELOPER)).body).toMatchObject([{ vulnerabilities }]);
});

test('a tree is read once for all who ask, and again after a failure', async () => {
  const { lists, commit, repo } = await start();
  const sha = await commit(7, 'main', { 'requirements.txt': 'flask==3.0.0\n' });
  const repository = repo.repositories.of(7);
  let reads = 0;
  const counting = (fails: boolean) => ({
    objects: repository.objects,
    entry: repository.entry,
    async fileListing(commitOid: string) {
      const listing = await repository.fileListing(commitOid);
      const read = async () => {
        reads += 1;
        if (fails) throw new Error('git failed');
        return listing.read();
      };
      return { ...listing, read };
    },
  });
  await expect(lists.of(counting(true), sha)).rejects.toThrow('git failed');
  const asked = await Promise.all([1, 2, 3].map(() => lists.of(counting(false), sha)));
  expect(asked.map((list) => list.map(({ name }) => name))).toEqual(Array(3).fill(['flask']));
  await lists.of(counting(false), sha);
  expect(reads).toBe(2);
});

test('a lockfile is read once, in whichever tree it lies', async () => {
  const { lists, commit, repo } = await start();
  const repository = repo.repositories.of(7);
  const read: string[] = [];
  const reads = {
    fileListing: repository.fileListing,
    entry: repository.entry,
    objects: Object.assign(Object.create(repository.objects), {
      need(oid: string, type: 'blob') {
        read.push(oid);
        return repository.objects.need(oid, type);
      },
    }),
  };
  const files = {
    'requirements.txt': 'flask==3.0.0\n',
    'a/Gemfile.lock': 'GEM\n  specs:\n    racc (1.7.3)\n',
  };
  const first = await lists.of(reads, await commit(7, 'main', files));
  expect(first.map(({ name }) => name)).toEqual(['flask', 'racc']);
  expect(read).toHaveLength(2);
  expect(await lists.of(reads, await commit(7, 'main', { 'b.txt': 'b' }))).toEqual(first);
  expect(read).toHaveLength(2);
  await lists.of(reads, await commit(7, 'main', { 'requirements.txt': 'flask==3.0.1\n' }));
  expect(read).toHaveLength(3);
});

test('lists that are asked for at the same time wait for each other, and none is lost', async () => {
  const { lists, commit, repo } = await start();
  const commits: string[] = [];
  for (const at of [1, 2, 3, 4])
    commits.push(await commit(7, 'main', { 'requirements.txt': `flask==3.0.${at}\n` }));
  const asked = await Promise.all(commits.map((sha) => lists.of(repo.repositories.of(7), sha)));
  expect(asked.map((list) => list.map(({ version }) => version))).toEqual([
    ['3.0.1'],
    ['3.0.2'],
    ['3.0.3'],
    ['3.0.4'],
  ]);
});
