import {
  describeRef,
  listChangedPaths,
  listPaths,
  readFiles,
  SOURCE_BOUNDS,
} from '@forgelog/contracts/repo/repositories/repository-source.operations.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { projectCreated } from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test, vi } from 'vitest';
import type { RepoPorts } from '../ports.ts';
import { projectDecider, projectStream } from '../projects/project.decider.ts';
import { projectsProjection } from '../projects/projects.projection.ts';
import {
  protectedBranchDecider,
  protectedBranchesStream,
} from '../protected-branches/protected-branch.decider.ts';
import { protectedTagDecider, protectedTagsStream } from '../protected-tags/protected-tag.decider.ts';
import { levelAdmission } from '../refs/admission.rules.ts';
import { samplePrincipal } from '../testing/sample-principal.ts';
import { SAMPLE_AUTHOR, startRepoSlices } from '../testing/start-repo-slices.ts';
import { repositoryContentSlice } from './repository-content.slice.ts';

const SLICES = [repositoryContentSlice, defineSlice<RepoPorts>({ projections: [projectsProjection] })];

const as = (userId: number) => ({ principal: samplePrincipal(userId) });
const nobody = { principal: null };

async function started(files: Readonly<Record<string, string>> = { '.gitlab-ci.yml': 'j: {script: x}' }) {
  const running = await startRepoSlices(SLICES, [...team, projectCreated(8)]);
  const tip = await running.commit(7, 'main', files, 'Begin\n\nWith words');
  return { ...running, tip, operations: running.ports.operations };
}

const createRef = async ({ repo }: Awaited<ReturnType<typeof started>>, ref: string, newOid: string) =>
  repo.repositories.moveRefs(7, [{ ref, oldOid: ZERO_OID, newOid }], SYSTEM_METADATA, 'api');

test('a ref is told with its commit, whether it is protected, and who may run a pipeline of it', async () => {
  const running = await started();
  const { operations, tip } = running;
  const ask = (ref: string | null, asker = as(DEVELOPER)) =>
    operations.call(describeRef, { projectId: 7, ref, sha: null }, asker);
  expect(await ask(null)).toEqual({
    ref: 'main',
    kind: 'branch',
    isProtected: true,
    mayRun: true,
    commit: {
      sha: tip,
      message: expect.stringMatching(/^Begin\n\nWith words\n?$/),
      author: `${SAMPLE_AUTHOR.name} <${SAMPLE_AUTHOR.email}>`,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    },
    settings: { configPath: null, timeoutSeconds: 3600, restrictsVariables: false },
  });
  expect(await ask('main', as(REPORTER))).toMatchObject({ isProtected: true, mayRun: false });
  await createRef(running, 'refs/tags/v1', tip);
  expect(await ask('v1')).toMatchObject({ ref: 'v1', kind: 'tag', isProtected: false, mayRun: true });
  const other = await running.commit(7, 'v1', { b: 'b' });
  expect(await ask('v1')).toMatchObject({ kind: 'branch', commit: { sha: other } });
  expect(await ask('refs/tags/v1')).toMatchObject({ ref: 'v1', kind: 'tag', commit: { sha: tip } });
  for (const ref of ['missing', tip, 'refs/notes/x', '..', '', 'a\nb'])
    expect([ref, await ask(ref)]).toEqual([ref, ref === '' ? expect.anything() : { refused: 'no ref' }]);
});

test('protected branches and tags are told, and who may run their pipelines', async () => {
  const running = await started();
  const { operations, tip, repo } = running;
  const maintainers = [levelAdmission(40)];
  const protect = { projectId: 7, name: 'v*' };
  await repo.commands.handle(
    protectedTagDecider,
    protectedTagsStream(7),
    { type: 'ProtectTag', protectedTagId: 1, createAccessLevel: 40, ...protect },
    SYSTEM_METADATA,
  );
  const branch = {
    ...{ ...protect, protectedBranchId: 1, name: 'release/*', allowForcePush: false },
    ...{ pushAccess: maintainers, mergeAccess: maintainers, unprotectAccess: maintainers },
    codeOwnerApprovalRequired: false,
  };
  await repo.commands.handle(
    protectedBranchDecider,
    protectedBranchesStream(7),
    { type: 'ProtectBranch', ...branch },
    SYSTEM_METADATA,
  );
  await createRef(running, 'refs/tags/v1', tip);
  await createRef(running, 'refs/heads/release/1', tip);
  for (const ref of ['v1', 'release/1']) {
    const ask = (userId: number) =>
      operations.call(describeRef, { projectId: 7, ref, sha: null }, as(userId));
    expect(await ask(DEVELOPER)).toMatchObject({ ref, isProtected: true, mayRun: false });
    expect(await ask(OWNER)).toMatchObject({ ref, isProtected: true, mayRun: true });
  }
});

test('a push that is not finished is waited for where a commit of it is asked for', async () => {
  const { operations, tip, repo } = await started();
  const release = repo.repositories.hold(7);
  let answered = false;
  const request = { projectId: 7, ref: 'main', sha: tip };
  const asking = operations.call(describeRef, request, as(DEVELOPER)).finally(() => {
    answered = true;
  });
  expect(await operations.call(describeRef, { ...request, sha: null }, as(DEVELOPER))).toHaveProperty(
    'commit',
  );
  expect(answered).toBe(false);
  release();
  expect(await asking).toMatchObject({ ref: 'main' });
});

test('an older commit of a ref can be asked for, an unknown one is told', async () => {
  const { operations, commit, tip } = await started();
  await commit(7, 'main', { b: 'b' });
  const ask = (sha: string) =>
    operations.call(describeRef, { projectId: 7, ref: 'main', sha }, as(DEVELOPER));
  expect(await ask(tip)).toMatchObject({ ref: 'main', commit: { sha: tip } });
  expect(await ask('f'.repeat(40))).toEqual({ refused: 'no commit' });
});

test('whoever may not read the repository is told the same as of a project that is not there', async () => {
  const { operations, tip } = await started();
  for (const [projectId, asker] of [
    [7, as(OUTSIDER)],
    [7, nobody],
    [8, as(DEVELOPER)],
    [99, as(OWNER)],
  ] as const)
    for (const answer of await Promise.all([
      operations.call(describeRef, { projectId, ref: null, sha: null }, asker),
      operations.call(readFiles, { projectId, revision: null, paths: ['.gitlab-ci.yml'] }, asker),
      operations.call(listPaths, { projectId, sha: tip, folder: '' }, asker),
      operations.call(listChangedPaths, { projectId, from: tip, to: tip }, asker),
    ]))
      expect(answer).toEqual({ refused: 'no project' });
});

test('files are read within one bound for all of them', async () => {
  const half = 'x'.repeat(SOURCE_BOUNDS.bytes / 2);
  const { operations, tip } = await started({ a: half, b: `${half}y`, 'dir/c': half, empty: '' });
  const ask = (paths: string[], revision: string | null = null) =>
    operations.call(readFiles, { projectId: 7, revision, paths }, as(REPORTER));
  const answer = { sha: tip, files: [{ text: half }, 'too large', { text: half }, { text: '' }] };
  expect(await ask(['a', 'b', 'dir/c', 'empty'])).toEqual(answer);
  expect(await ask(['missing', 'dir', '../a', '/', ''])).toEqual({ sha: tip, files: Array(5).fill(null) });
  expect(await ask(['empty'], tip)).toEqual({ sha: tip, files: [{ text: '' }] });
  expect(await ask(['empty'], 'missing')).toEqual({ refused: 'no ref' });
});

test('a project that is deleted while its repository is read is one that is not there', async () => {
  const { operations, tip, repo, ports } = await started();
  const { commands } = ports;
  const metadata = { ...SYSTEM_METADATA, actorId: OWNER };
  const deletion = { type: 'DeleteProject' as const, projectId: 7 };
  vi.spyOn(repo.repositories.of(7), 'tree').mockImplementation(async () => {
    await commands.handle(projectDecider, projectStream(7), deletion, metadata);
    throw new Error('the folder is gone');
  });
  const answer = await operations.call(listPaths, { projectId: 7, sha: tip, folder: '' }, as(OWNER));
  expect(answer).toEqual({ refused: 'no project' });
});

test('an empty repository has no ref', async () => {
  const { ports } = await startRepoSlices(SLICES, team);
  const call = (contract: typeof describeRef | typeof readFiles, request: object) =>
    ports.operations.call(contract as typeof describeRef, request as never, as(OWNER));
  expect(await call(describeRef, { projectId: 7, ref: null, sha: null })).toEqual({ refused: 'no ref' });
  const read = await call(readFiles, { projectId: 7, revision: null, paths: ['a'] });
  expect(read).toEqual({ refused: 'no ref' });
});

test('paths are listed below a folder, without folders', async () => {
  const { operations, tip } = await started({ a: '', 'dir/b': '', 'dir/deep/c': '' });
  const ask = (folder: string) =>
    operations.call(listPaths, { projectId: 7, sha: tip, folder }, as(REPORTER));
  expect(await ask('')).toEqual({ paths: ['a', 'dir/b', 'dir/deep/c'], isComplete: true });
  expect(await ask('dir')).toEqual({ paths: ['dir/b', 'dir/deep/c'], isComplete: true });
  for (const folder of ['missing', 'a', '..'])
    expect(await ask(folder)).toEqual({ paths: [], isComplete: true });
});

test('changed paths have old and new names, and are unknown without both commits', async () => {
  const { operations, commit, tip } = await started({ a: 'one', b: 'b' });
  const next = await commit(7, 'main', { a: 'two', c: 'c' });
  const ask = (from: string, to: string) =>
    operations.call(listChangedPaths, { projectId: 7, from, to }, as(REPORTER));
  expect(await ask(tip, next)).toEqual({ paths: ['a', 'c'] });
  expect(await ask(next, next)).toEqual({ paths: [] });
  expect(await ask('f'.repeat(40), next)).toEqual({ paths: null });
  expect(await ask(ZERO_OID, next)).toEqual({ paths: null });
});
