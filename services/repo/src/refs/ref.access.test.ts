import type { DirectoryProject } from '@forgelog/directory/collections.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { expect, test, vi } from 'vitest';
import { defaultBranchRules } from './default-branch.rules.ts';
import { createRefAccess } from './ref.access.ts';
import {
  type RefMoveKind,
  type RefRule,
  type RefRuleSource,
  refProtections,
} from './ref-protection.rules.ts';

const today = () => '2030-01-01';
const grantOf = (level: number, archived = false) =>
  ({ project: { id: 7, archived }, level }) as ProjectGrant;
const KINDS: readonly RefMoveKind[] = ['create', 'update', 'force', 'delete'];

function directoryWith(defaultBranch: string | null) {
  const directory = {
    changes: 1,
    defaultBranch,
    project: vi.fn(async () => ({ id: 7, defaultBranch: directory.defaultBranch }) as DirectoryProject),
  };
  return directory;
}

/** A rule source like a projection of protected branches. */
function sourceOf(...rules: RefRule[]): RefRuleSource & { changes: number; rules: RefRule[] } {
  const source = { changes: 0, rules, rulesOf: async () => source.rules };
  return source;
}

const release: RefRule = {
  covers: (ref) => ref.startsWith('refs/heads/release/'),
  levels: { create: 40, update: 40, force: null, delete: null, merge: 30 },
  deletionRefusal: 'no',
};

test.each([
  { level: 20, ref: 'refs/heads/topic', may: [] },
  { level: 30, ref: 'refs/heads/topic', may: KINDS },
  { level: 30, ref: 'refs/tags/main', may: KINDS },
  { level: 30, ref: 'refs/heads/main', may: ['create', 'update'] },
  { level: 40, ref: 'refs/heads/main', may: ['create', 'update', 'force'] },
  { level: 50, ref: 'refs/heads/main', may: ['create', 'update', 'force'] },
  { level: 20, ref: 'refs/heads/main', may: [] },
])('with level $level $ref can be moved by $may', async ({ level, ref, may }) => {
  const accessOf = createRefAccess(refProtections([defaultBranchRules(directoryWith('main'))], { today }));
  const access = await accessOf(grantOf(level));
  expect(KINDS.filter((kind) => access.mayMove(ref, kind))).toEqual(may);
  const archived = await accessOf(grantOf(level, true));
  expect(KINDS.filter((kind) => archived.mayMove(ref, kind))).toEqual([]);
});

test('a project without a default branch protects nothing', async () => {
  const accessOf = createRefAccess(refProtections([defaultBranchRules(directoryWith(null))], { today }));
  expect((await accessOf(grantOf(30))).protectionOf('refs/heads/null')).toBeUndefined();
});

test('rules are cached until something changes, and then reloaded', async () => {
  const directory = directoryWith('main');
  const accessOf = createRefAccess(refProtections([defaultBranchRules(directory)], { today }));
  await accessOf(grantOf(30));
  expect(accessOf(grantOf(30))).not.toBeInstanceOf(Promise);
  directory.defaultBranch = 'trunk';
  directory.changes += 1;
  const access = await accessOf(grantOf(30));
  expect(access.mayMove('refs/heads/main', 'delete')).toBe(true);
  expect(access.mayMove('refs/heads/trunk', 'delete')).toBe(false);
  expect(directory.project).toHaveBeenCalledTimes(2);
});

test('a second source protects the refs it covers, once it reports a change', async () => {
  const source = sourceOf();
  const accessOf = createRefAccess(
    refProtections([source, defaultBranchRules(directoryWith('main'))], { today }),
  );
  const ref = 'refs/heads/release/1';
  expect((await accessOf(grantOf(30))).mayMove(ref, 'update')).toBe(true);
  source.rules = [release];
  source.changes += 1;
  const access = await accessOf(grantOf(30));
  expect(access.mayMove(ref, 'update')).toBe(false);
  expect(access.protectionOf(ref)).toBe(release);
  expect(access.mayMove('refs/heads/main', 'update')).toBe(true);
  expect((await accessOf(grantOf(40))).mayMove(ref, 'update')).toBe(true);
  expect((await accessOf(grantOf(50))).mayMove(ref, 'delete')).toBe(false);
});
