import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Repository } from '../git.ts';
import { ZERO_OID } from '../objects/object-id.ts';
import { createFixture, type Fixture } from '../testing/fixture.ts';
import { ann, START } from '../testing/sample-changes.ts';
import { gitText } from '../testing/stock-git.ts';

let fixture: Fixture;
let count = 0;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

async function sound(): Promise<{ repository: Repository; oid: string; file: (path: string) => string }> {
  const repository = await fixture.empty(`damaged-${count++}.git`);
  const { oid } = await repository.buildCommit({ parents: [], actions: START, author: ann, message: 'x\n' });
  for (const ref of ['refs/heads/main', 'refs/heads/a/b', 'refs/tags/v1', 'refs/notes/x'])
    await repository.updateRefs([{ ref, oldOid: ZERO_OID, newOid: oid }]);
  return { repository, oid, file: (path) => join(repository.gitDir, path) };
}

/** The output of git's own check, ignored refs included. */
function gitSays({ gitDir }: Repository): string {
  try {
    gitText(gitDir, ['symbolic-ref', 'HEAD']);
    gitText(gitDir, ['config', '--get', 'core.bare']);
    return gitText(gitDir, ['for-each-ref', '--format=%(refname)']);
  } catch (error) {
    return `failed: ${(error as Error).message}`;
  }
}

const REFS = ['refs/heads/a/b', 'refs/heads/main', 'refs/notes/x', 'refs/tags/v1'];

test('a sound repository has no damage, packed or not', async () => {
  const { repository, file } = await sound();
  expect(await repository.damage()).toEqual([]);
  gitText(repository.gitDir, ['tag', '-a', '-m', 'x', 'annotated', 'main']);
  gitText(repository.gitDir, ['pack-refs', '--all']);
  gitText(repository.gitDir, ['symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/heads/main']);
  const packed = readFileSync(file('packed-refs'));
  expect(await repository.mend('main')).toEqual([]);
  expect(readFileSync(file('packed-refs'))).toEqual(packed);
  truncateSync(file('packed-refs'));
  expect(await repository.damage()).toEqual([]);
});

test.each<[what: string, content: string]>([
  ['empty', ''],
  ['full of zero bytes', '\0'.repeat(41)],
  ['cut off', 'a'.repeat(20)],
  ['garbage', 'no object id\n'],
  ['a symbolic ref', 'ref: refs/heads/other\n'],
])('a branch whose file is %s is taken away, and no other', async (_, content) => {
  const { repository, oid, file } = await sound();
  writeFileSync(file('refs/heads/a/b'), content);
  expect(await repository.damage()).toMatchObject([{ kind: 'ref', path: 'refs/heads/a/b' }]);
  expect(await repository.mend('main')).toHaveLength(1);
  expect(gitSays(repository).split('\n')).toEqual(REFS.filter((ref) => ref !== 'refs/heads/a/b'));
  await repository.updateRefs([{ ref: 'refs/heads/a/b', oldOid: ZERO_OID, newOid: oid }]);
  expect(gitSays(repository).split('\n')).toEqual(REFS);
  expect(await repository.damage()).toEqual([]);
});

test.each<[what: string, damage: (text: string) => string, kept: string[]]>([
  ['has lines of garbage', (text) => text.replace('refs/tags', 'refs tags~'), REFS.slice(0, 3)],
  ['is cut off', (text) => text.slice(0, -4), REFS.slice(0, 3)],
  ['is full of zero bytes', (text) => '\0'.repeat(text.length), []],
  [
    'has ids that are none',
    (text) => text.replace(/[0-9a-f]{40} refs\/heads\/a/, `${'x'.repeat(40)} refs/heads/a`),
    REFS.slice(1),
  ],
])('a packed-refs that %s keeps the lines that can be read', async (_, damage, kept) => {
  const { repository, file } = await sound();
  gitText(repository.gitDir, ['pack-refs', '--all']);
  writeFileSync(file('packed-refs'), damage(readFileSync(file('packed-refs'), 'utf8')));
  expect(gitSays(repository)).toMatch(/^failed: /);
  expect(await repository.mend('main')).toMatchObject([{ kind: 'packed-refs' }]);
  expect(gitSays(repository).split('\n').filter(Boolean)).toEqual(kept);
  expect(await repository.damage()).toEqual([]);
});

test.each<[what: string, damage: (file: (path: string) => string) => void]>([
  ['an empty HEAD', (file) => truncateSync(file('HEAD'))],
  ['no HEAD', (file) => rmSync(file('HEAD'))],
  ['a HEAD of garbage', (file) => writeFileSync(file('HEAD'), '\0'.repeat(21))],
  ['an empty config', (file) => truncateSync(file('config'))],
  ['a config of garbage', (file) => writeFileSync(file('config'), '\0'.repeat(60))],
])('%s is written anew, and git takes the folder for a repository again', async (_, damage) => {
  const { repository, file } = await sound();
  damage(file);
  expect(gitSays(repository)).toMatch(/^failed: /);
  expect(await repository.mend('main')).toHaveLength(1);
  expect(gitSays(repository).split('\n')).toEqual(REFS);
  expect(gitText(repository.gitDir, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/main');
  expect(gitText(repository.gitDir, ['rev-parse', '--is-bare-repository'])).toBe('true');
});

test('an operator’s own settings are not damage', async () => {
  const { repository, file } = await sound();
  gitText(repository.gitDir, ['config', 'gc.pruneExpire', 'never']);
  const config = readFileSync(file('config'), 'utf8');
  expect(await repository.mend('main')).toEqual([]);
  expect(readFileSync(file('config'), 'utf8')).toBe(config);
});

test('empty folders that a copy left out are created', async () => {
  const repository = await fixture.empty('hollow.git');
  rmSync(join(repository.gitDir, 'refs'), { recursive: true });
  rmSync(join(repository.gitDir, 'objects'), { recursive: true });
  expect(gitSays(repository)).toMatch(/^failed: /);
  expect((await repository.mend('main')).map(({ kind }) => kind)).toEqual(Array(4).fill('folder'));
  expect(gitSays(repository)).toBe('');
  expect((await repository.fsck()).ok).toBe(true);
});

test('an empty object file is removed, so that the object can be stored again', async () => {
  const { repository, oid, file } = await sound();
  const path = `objects/${oid.slice(0, 2)}/${oid.slice(2)}`;
  const content = readFileSync(file(path));
  chmodSync(file(path), 0o644);
  truncateSync(file(path));
  mkdirSync(file('objects/zz'), { recursive: true });
  expect(await repository.mend('main')).toMatchObject([{ kind: 'object', path }]);
  expect(existsSync(file(path))).toBe(false);
  expect(readdirSync(file('objects'))).toContain('zz');
  writeFileSync(file(path), content);
  expect(await repository.damage()).toEqual([]);
});

test('every kind of change is detected by change times', async () => {
  const { repository, file } = await sound();
  const changes: [string, () => void][] = [
    ['a ref is emptied', () => truncateSync(file('refs/heads/a/b'))],
    ['a ref is gone', () => rmSync(file('refs/tags/v1'))],
    ['a ref is new', () => writeFileSync(file('refs/heads/a/c'), 'x')],
    ['HEAD is written', () => writeFileSync(file('HEAD'), 'ref: refs/heads/x\n')],
    ['refs are packed', () => writeFileSync(file('packed-refs'), '')],
    ['objects are gone', () => rmSync(file('objects/pack'), { recursive: true })],
    ['the repository is gone', () => rmSync(repository.gitDir, { recursive: true })],
  ];
  for (const [what, change] of changes) {
    const mark = join(fixture.root, 'mark');
    const since = await markAt(mark, repository);
    change();
    expect(repository.changedSince(since), what).toBe(true);
  }
});

/** Waits until a new file gets a later change time than all in the repository, given the clock's tick. */
async function markAt(path: string, repository: Repository): Promise<number> {
  await expect
    .poll(() => {
      writeFileSync(path, 'x');
      return repository.changedSince(statSync(path).ctimeMs - 1e-3);
    })
    .toBe(false);
  await new Promise((passed) => setTimeout(passed, 20));
  return statSync(path).ctimeMs;
}
