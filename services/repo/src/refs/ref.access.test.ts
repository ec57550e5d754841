import type { RefAdmission } from '@forgelog/contracts/repo/protected-branches/protected-branch.events.ts';
import type { DirectoryNamespace, DirectoryProject } from '@forgelog/directory/collections.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { expect, test, vi } from 'vitest';
import { branchRule } from '../protected-branches/protected-branch.rules.ts';
import { levelAdmission } from './admission.rules.ts';
import { defaultBranchRules } from './default-branch.rules.ts';
import { createRefAccess } from './ref.access.ts';
import {
  type RefMoveKind,
  type RefRule,
  type RefRuleSource,
  refProtections,
} from './ref-protection.rules.ts';

const today = () => '2030-01-01';
const USER = 5;
const GROUP = 60;
const grantOf = (level: number, { archived = false, isAdmin = false, userId = USER } = {}) =>
  ({ project: { id: 7, readOnly: archived ? 'archived' : null }, level, isAdmin, userId }) as ProjectGrant;
const KINDS: readonly RefMoveKind[] = ['create', 'update', 'force', 'delete', 'merge'];
const groups = {
  groupLevel: async (userId: number, id: number) => (userId === USER && id === GROUP ? 30 : 0),
};

function directoryWith(defaultBranch: string | null, defaultBranchProtection: number | null = null) {
  const directory = {
    changes: 1,
    defaultBranch,
    project: vi.fn(async () => ({ id: 7, defaultBranch: directory.defaultBranch }) as DirectoryProject),
    namespace: async () => ({ defaultBranchProtection }) as DirectoryNamespace,
  };
  return directory;
}

/** A rule source like a projection of protected branches. */
function sourceOf(...rules: RefRule[]): RefRuleSource & { changes: number; rules: RefRule[] } {
  const source = { changes: 0, rules, rulesOf: async () => source.rules };
  return source;
}

const nowhere = async () => [];
const accessBy = (...sources: RefRuleSource[]) =>
  createRefAccess(refProtections(sources, { today }), groups, nowhere);

const byUser = (userId: number): RefAdmission => ({ accessLevel: null, userId, groupId: null });
const byGroup = (groupId: number): RefAdmission => ({ accessLevel: null, userId: null, groupId });
const level = levelAdmission;

const protection = (name: string, push: RefAdmission[], merge: RefAdmission[], allowForcePush = false) =>
  branchRule({ name, pushAccess: push, mergeAccess: merge, allowForcePush });

test.each([
  { level: 20, ref: 'refs/heads/topic', may: [] },
  { level: 30, ref: 'refs/heads/topic', may: KINDS },
  { level: 30, ref: 'refs/tags/main', may: KINDS },
  { level: 30, ref: 'refs/heads/main', may: ['create', 'update', 'merge'] },
  { level: 40, ref: 'refs/heads/main', may: ['create', 'update', 'force', 'merge'] },
  { level: 50, ref: 'refs/heads/main', may: ['create', 'update', 'force', 'merge'] },
  { level: 20, ref: 'refs/heads/main', may: [] },
])('with level $level $ref can be moved by $may', async ({ level, ref, may }) => {
  const accessOf = accessBy(defaultBranchRules(directoryWith('main')));
  const access = await accessOf(grantOf(level));
  expect(KINDS.filter((kind) => access.mayMove(ref, kind))).toEqual(may);
  const archived = await accessOf(grantOf(level, { archived: true }));
  expect(KINDS.filter((kind) => archived.mayMove(ref, kind))).toEqual([]);
});

/** Levels of a rule with those they admit (companions 3): 0 nobody, 30 and 40 by role, 60 administrators. */
const ACTORS = {
  reporter: grantOf(20),
  developer: grantOf(30),
  maintainer: grantOf(40),
  owner: grantOf(50),
  administrator: grantOf(50, { isAdmin: true }),
};
const ADMITTED: Record<number, (keyof typeof ACTORS)[]> = {
  0: [],
  30: ['developer', 'maintainer', 'owner', 'administrator'],
  40: ['maintainer', 'owner', 'administrator'],
  60: ['administrator'],
};
const LEVELS = [0, 30, 40, 60];
const combinations = LEVELS.flatMap((push) =>
  LEVELS.flatMap((merge) => [true, false].map((force) => ({ push, merge, force }))),
);

test.each(combinations)('push $push, merge $merge, force $force admit whom they name', async (one) => {
  const rule = protection('release/*', [level(one.push)], [level(one.merge)], one.force);
  const accessOf = accessBy(sourceOf(rule));
  for (const [name, grant] of Object.entries(ACTORS)) {
    const access = await accessOf(grant);
    const isIn = (admitted: number) => (ADMITTED[admitted] as string[]).includes(name);
    expect({ name, may: KINDS.filter((kind) => access.mayMove('refs/heads/release/1', kind)) }).toEqual({
      name,
      may: KINDS.filter(
        (kind) =>
          ({
            create: isIn(one.push),
            update: isIn(one.push),
            force: isIn(one.push) && one.force,
            delete: false,
            merge: isIn(one.push) || isIn(one.merge),
          })[kind],
      ),
    });
  }
});

test.each([
  { named: byUser(USER), of: 'the user', may: true },
  { named: byUser(6), of: 'another user', may: false },
  { named: byGroup(GROUP), of: 'a group of theirs', may: true },
  { named: byGroup(61), of: 'another group', may: false },
])('a rule that names $of admits a developer: $may', async ({ named, may }) => {
  const accessOf = accessBy(sourceOf(protection('main', [level(0), named], [level(0)])));
  expect((await accessOf(grantOf(30))).mayMove('refs/heads/main', 'update')).toBe(may);
  expect((await accessOf(grantOf(20))).mayMove('refs/heads/main', 'update')).toBe(false);
  expect((await accessOf(grantOf(50, { userId: 9 }))).mayMove('refs/heads/main', 'update')).toBe(false);
});

test('of several rules that cover a branch the most permissive one decides, for each kind of move', async () => {
  const strict = protection('release/1', [level(0)], [level(0)]);
  const open = protection('release/*', [level(40)], [level(30)], true);
  for (const rules of [
    [strict, open],
    [open, strict],
  ]) {
    const accessOf = accessBy(sourceOf(...rules));
    const may = async (grant: ProjectGrant) => {
      const access = await accessOf(grant);
      return KINDS.filter((kind) => access.mayMove('refs/heads/release/1', kind));
    };
    expect(await may(grantOf(30))).toEqual(['merge']);
    expect(await may(grantOf(40))).toEqual(['create', 'update', 'force', 'merge']);
  }
});

test('a protected default branch follows its rule alone', async () => {
  const rule = protection('main', [level(40)], [level(40)]);
  const accessOf = accessBy(sourceOf(rule), defaultBranchRules(directoryWith('main')));
  expect((await accessOf(grantOf(30))).mayMove('refs/heads/main', 'update')).toBe(false);
  expect((await accessOf(grantOf(40))).mayMove('refs/heads/main', 'force')).toBe(false);
  expect((await accessOf(grantOf(50))).mayMove('refs/heads/main', 'delete')).toBe(false);
});

test('a project without a default branch protects nothing', async () => {
  const accessOf = accessBy(defaultBranchRules(directoryWith(null)));
  expect((await accessOf(grantOf(30))).protectionOf('refs/heads/null')).toBeUndefined();
});

test('rules are cached until something changes, and then reloaded', async () => {
  const directory = directoryWith('main');
  const accessOf = accessBy(defaultBranchRules(directory));
  await accessOf(grantOf(30));
  expect(accessOf(grantOf(30))).not.toBeInstanceOf(Promise);
  directory.defaultBranch = 'trunk';
  directory.changes += 1;
  const access = await accessOf(grantOf(30));
  expect(access.mayMove('refs/heads/main', 'delete')).toBe(true);
  expect(access.mayMove('refs/heads/trunk', 'delete')).toBe(false);
  expect(directory.project).toHaveBeenCalledTimes(2);
});

test('a source protects the refs it covers once it reports a change', async () => {
  const source = sourceOf();
  const accessOf = accessBy(source, defaultBranchRules(directoryWith('main')));
  const ref = 'refs/heads/release/1';
  expect((await accessOf(grantOf(30))).mayMove(ref, 'update')).toBe(true);
  source.rules = [protection('release/*', [level(40)], [level(30)])];
  source.changes += 1;
  const access = await accessOf(grantOf(30));
  expect(access.mayMove(ref, 'update')).toBe(false);
  expect(access.protectionOf(ref)?.refusal('update')).toContain('not allowed to push code to protected');
  expect(access.mayMove('refs/heads/main', 'update')).toBe(true);
});

test.each([
  { of: 'a merger of the target', target: 30, ref: 'refs/heads/topic', may: ['update', 'force'] },
  { of: 'another branch', target: 40, ref: 'refs/heads/other', may: [] },
  { of: 'a tag of that name', target: 40, ref: 'refs/tags/topic', may: [] },
  { of: 'who may not merge there', target: 20, ref: 'refs/heads/topic', may: [] },
  {
    of: 'a target branch that they may not merge into',
    target: 30,
    into: 'main',
    ref: 'refs/heads/topic',
    may: [],
  },
  {
    of: 'a maintainer of that target',
    target: 40,
    into: 'main',
    ref: 'refs/heads/topic',
    may: ['update', 'force'],
  },
  { of: 'a protected source branch', target: 40, from: 'rel/1', ref: 'refs/heads/rel/1', may: [] },
  { of: 'one that a rule opens to them', target: 40, from: 'open', ref: 'refs/heads/open', may: ['update'] },
  { of: 'an archived fork', target: 40, archived: true, ref: 'refs/heads/topic', may: [] },
])('who collaborates on $of moves $ref by $may', async (row) => {
  const { target, ref, may, into = 'next', from = 'topic', archived = false } = row;
  const rules = sourceOf(
    protection('main', [level(40)], [level(40)]),
    protection('rel/*', [level(30)], [level(30)]),
    protection('open', [byUser(USER)], [byUser(USER)]),
  );
  const accessOf = createRefAccess(refProtections([rules], { today }), groups, async () => [
    {
      sourceBranch: from,
      target: { ...grantOf(target), project: { id: 8, readOnly: null } } as ProjectGrant,
      targetBranch: into,
    },
  ]);
  const access = await accessOf(grantOf(10, { archived }));
  const moves = KINDS.filter((kind) => access.mayMove(ref, kind));
  expect(moves).toEqual(may);
  const collaborates = target >= 40 || (target >= 30 && into !== 'main');
  expect(access.extent).toBe(collaborates ? 'some' : 'none');
});

test.each([
  { set: null, developer: ['create', 'update', 'merge'], maintainer: ['create', 'update', 'force', 'merge'] },
  {
    set: 0,
    developer: ['create', 'update', 'force', 'merge'],
    maintainer: ['create', 'update', 'force', 'merge'],
  },
  { set: 1, developer: ['create', 'update', 'merge'], maintainer: ['create', 'update', 'force', 'merge'] },
  { set: 2, developer: ['create'], maintainer: ['create', 'update', 'force', 'merge'] },
  { set: 3, developer: ['create', 'merge'], maintainer: ['create', 'update', 'force', 'merge'] },
])('a group that sets $set for default branches', async ({ set, developer, maintainer }) => {
  const accessOf = accessBy(defaultBranchRules(directoryWith('main', set)));
  const movesOf = async (of: number, ref: string) => {
    const access = await accessOf(grantOf(of));
    return KINDS.filter((kind) => access.mayMove(ref, kind));
  };
  expect(await movesOf(30, 'refs/heads/main')).toEqual(developer);
  expect(await movesOf(40, 'refs/heads/main')).toEqual(maintainer);
  expect(await movesOf(30, 'refs/heads/topic')).toEqual(KINDS);
});
