import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Repository } from '../git.ts';
import { newObject } from '../objects/loose-object-writer.ts';
import { EMPTY_TREE, ZERO_OID } from '../objects/object-id.ts';
import { createFixture, type Fixture } from '../testing/fixture.ts';
import { ann, START, text } from '../testing/sample-changes.ts';
import { gitBytes, gitText } from '../testing/stock-git.ts';
import type { FileAction } from './tree-editor.ts';

let fixture: Fixture;
let repo: Repository;
let count = 0;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

const git = (...args: string[]) => gitText(repo.gitDir, args);
const build = (actions: FileAction[], parents: string[] = []) =>
  repo.buildCommit({ parents, actions, author: ann, message: 'Change\n' });
/** `mode path` of every file of a commit. */
const files = (oid: string) =>
  gitBytes(repo.gitDir, ['ls-tree', '-r', '-z', '--format=%(objectmode) %(path)', oid])
    .toString()
    .split('\0')
    .slice(0, -1);

async function fresh() {
  repo = await fixture.empty(`writes-${count++}.git`);
}

describe('commits', () => {
  test('writes the same objects as git', async () => {
    await fresh();
    const first = await build(START);
    expect(first.changed).toBe(true);
    expect(files(first.oid)).toEqual([
      '100644 a.txt',
      '100644 dir.x',
      '100644 dir/b.txt',
      '100755 dir/sub/c.sh',
    ]);
    // From the same files and people, git builds the same tree and commit.
    const env = {
      GIT_AUTHOR_NAME: 'Ann',
      GIT_AUTHOR_EMAIL: 'ann@example.com',
      GIT_AUTHOR_DATE: '1632117972 +0300',
      GIT_COMMITTER_NAME: 'Ann',
      GIT_COMMITTER_EMAIL: 'ann@example.com',
      GIT_COMMITTER_DATE: '1632117972 +0300',
      GIT_INDEX_FILE: join(fixture.root, 'index'),
    };
    for (const action of START) {
      if (action.action !== 'create') continue;
      const blob = gitText(repo.gitDir, ['hash-object', '-w', '--stdin'], { input: action.content });
      gitText(
        repo.gitDir,
        [
          'update-index',
          '--add',
          '--cacheinfo',
          `${action.executable ? '100755' : '100644'},${blob},${action.path}`,
        ],
        { env },
      );
    }
    const tree = gitText(repo.gitDir, ['write-tree'], { env });
    expect(first.treeOid).toBe(tree);
    expect(first.oid).toBe(gitText(repo.gitDir, ['commit-tree', '-m', 'Change', tree], { env }));
    expect((await repo.fsck()).problems).toEqual([]);
  });

  test('applies each kind of action', async () => {
    await fresh();
    const first = await build(START);
    const second = await build(
      [
        { action: 'update', path: 'a.txt', content: text('changed\n') },
        { action: 'move', path: 'new/place.txt', previousPath: 'dir/b.txt' },
        { action: 'move', path: 'moved.sh', previousPath: 'dir/sub/c.sh', content: text('other\n') },
        { action: 'chmod', path: 'dir.x', executable: true },
        { action: 'create', path: 'dir/sub', content: text('a file where a folder was\n') },
      ],
      [first.oid],
    );
    expect(files(second.oid)).toEqual([
      '100644 a.txt',
      '100755 dir.x',
      '100644 dir/sub',
      '100755 moved.sh',
      '100644 new/place.txt',
    ]);
    expect(git('show', `${second.oid}:a.txt`)).toBe('changed');
    expect(git('show', `${second.oid}:moved.sh`)).toBe('other');
    expect(git('rev-parse', `${second.oid}:new/place.txt`)).toBe(git('rev-parse', `${first.oid}:dir/b.txt`));
    const third = await build(
      files(second.oid).map((row) => ({ action: 'delete', path: row.slice(7) })),
      [second.oid],
    );
    expect(third.treeOid).toBe(EMPTY_TREE);
    expect((await repo.fsck()).problems).toEqual([]);
  });

  test('a commit is stored again as it was, with its files', async () => {
    await fresh();
    const built = await build([{ action: 'create', path: 'a/b.txt', content: text('b') }]);
    const content = gitBytes(repo.gitDir, ['cat-file', 'commit', built.oid]);
    const contents = new Map([['a/b.txt', text('b')]]);
    await fresh();
    expect(await repo.treeOfFiles(contents)).toBe(built.treeOid);
    expect(git('count-objects')).toMatch(/^0 /);
    await expect(repo.restoreCommit(content, new Map([['a/b.txt', text('c')]]))).rejects.toMatchObject({
      code: 'other_tree',
    });
    expect(await repo.restoreCommit(content, contents)).toBe(built.oid);
    expect(git('show', `${built.oid}:a/b.txt`)).toBe('b');
  });

  const refusals: [string, FileAction, string][] = [
    ['a create over a file', { action: 'create', path: 'a.txt', content: text('') }, 'exists'],
    ['a create over a folder', { action: 'create', path: 'dir', content: text('') }, 'is_directory'],
    ['a create below a file', { action: 'create', path: 'a.txt/x', content: text('') }, 'path_conflict'],
    ['an update of nothing', { action: 'update', path: 'nope', content: text('') }, 'missing'],
    ['an update below a file', { action: 'update', path: 'a.txt/x', content: text('') }, 'missing'],
    ['an update of a folder', { action: 'update', path: 'dir', content: text('') }, 'is_directory'],
    ['a delete of nothing', { action: 'delete', path: 'dir/nope' }, 'missing'],
    ['a delete of a folder', { action: 'delete', path: 'dir/sub' }, 'is_directory'],
    ['a move of nothing', { action: 'move', path: 'x', previousPath: 'nope' }, 'missing'],
    ['a move onto a file', { action: 'move', path: 'a.txt', previousPath: 'dir/b.txt' }, 'exists'],
    ['a chmod of nothing', { action: 'chmod', path: 'nope', executable: true }, 'missing'],
    ['a path out of the tree', { action: 'create', path: '../x', content: text('') }, 'invalid_path'],
    ['a path into .git', { action: 'create', path: 'a/.GIT/x', content: text('') }, 'invalid_path'],
    ['a move from a bad path', { action: 'move', path: 'x', previousPath: '.git/config' }, 'invalid_path'],
  ];
  test.each(refusals)('refuses %s, and stores nothing', async (_, action, problem) => {
    await fresh();
    const first = await build(START);
    const before = git('count-objects');
    await expect(
      build([{ action: 'create', path: 'z', content: text('z') }, action], [first.oid]),
    ).rejects.toMatchObject({ problem });
    expect(git('count-objects')).toBe(before);
  });

  test('reports what did not change', async () => {
    await fresh();
    const first = await build(START);
    const again = await build(
      [
        { action: 'update', path: 'a.txt', content: text('a\n') },
        { action: 'chmod', path: 'dir/sub/c.sh', executable: true },
      ],
      [first.oid],
    );
    expect(again).toMatchObject({
      changed: false,
      treeOid: first.treeOid,
      unchanged: ['a.txt', 'dir/sub/c.sh'],
    });
  });

  test('cleans author names that would break a commit, and rejects messages with NUL', async () => {
    await fresh();
    const author = { name: 'Eve <x>\nparent 0', email: 'e v>e@x', date: ann.date };
    const { oid } = await repo.buildCommit({ parents: [], actions: START, author, message: 'm' });
    expect(await repo.commit(oid)).toMatchObject({
      author: { name: 'Eve xparent 0', email: 'eve@x' },
      parentIds: [],
    });
    const nameless = { name: ' <> ', email: 'solo@x', date: ann.date };
    const { oid: other } = await repo.buildCommit({
      parents: [],
      actions: START,
      author: nameless,
      message: 'm',
    });
    expect((await repo.commit(other))!.author.name).toBe('solo');
    expect((await repo.fsck()).problems).toEqual([]);
    await expect(
      repo.buildCommit({ parents: [], actions: START, author: ann, message: 'a\0b' }),
    ).rejects.toMatchObject({ code: 'invalid_message' });
    await expect(build(START, ['not an id'])).rejects.toMatchObject({ code: 'invalid_name' });
  });

  test('leaves no partial files with many concurrent writers', async () => {
    await fresh();
    const actions = Array.from(
      { length: 200 },
      (_, index): FileAction => ({
        action: 'create',
        path: `d${index % 7}/f${index}`,
        content: text(`${index % 50}\n`),
      }),
    );
    const [one, two] = await Promise.all([build(actions), build(actions)]);
    expect(one.oid).toBe(two.oid);
    expect(files(one.oid).length).toBe(200);
    const left = readdirSync(join(repo.gitDir, 'objects'), { recursive: true }).filter((name) =>
      String(name).includes('tmp'),
    );
    expect(left).toEqual([]);
    expect((await repo.fsck()).problems).toEqual([]);
  });

  test('computes the same object ids as git', () => {
    expect(newObject('tree', Buffer.alloc(0)).oid).toBe(EMPTY_TREE);
    expect(newObject('blob', text('hi\n')).oid).toBe(
      gitText('/', ['hash-object', '--stdin'], { input: 'hi\n' }),
    );
  });
});

describe('tags', () => {
  test('are the same objects that git writes', async () => {
    await fresh();
    const { oid } = await build(START);
    const tag = await repo.buildTag({ name: 'v1', targetOid: oid, tagger: ann, message: 'One' });
    await repo.updateRefs([{ ref: 'refs/tags/v1', oldOid: ZERO_OID, newOid: tag }]);
    expect(git('cat-file', 'tag', 'v1')).toBe(
      `object ${oid}\ntype commit\ntag v1\ntagger Ann <ann@example.com> 1632117972 +0300\n\nOne`,
    );
    expect((await repo.tag('v1'))!.commitOid).toBe(oid);
    expect((await repo.fsck()).problems).toEqual([]);
    await expect(
      repo.buildTag({ name: 'bad name', targetOid: oid, tagger: ann, message: '' }),
    ).rejects.toMatchObject({ code: 'invalid_name' });
    await expect(
      repo.buildTag({ name: 'v2', targetOid: 'a'.repeat(40), tagger: ann, message: '' }),
    ).rejects.toMatchObject({ code: 'object_not_found' });
  });
});

describe('merges', () => {
  const change = (path: string, content: string): FileAction => ({
    action: 'update',
    path,
    content: text(content),
  });

  test('of two changes give the same tree as git', async () => {
    await fresh();
    const base = (await build(START)).oid;
    const ours = (await build([change('a.txt', 'ours\n')], [base])).oid;
    const theirs = (await build([change('dir/b.txt', 'theirs\n')], [base])).oid;
    const { treeOid, conflicts } = await repo.mergeTrees({ ours, theirs });
    expect(conflicts).toEqual([]);
    expect([git('show', `${treeOid}:a.txt`), git('show', `${treeOid}:dir/b.txt`)]).toEqual([
      'ours',
      'theirs',
    ]);
    const merge = await repo.commitTree({
      treeOid,
      parents: [ours, theirs],
      author: ann,
      message: 'Merge\n',
    });
    expect((await repo.commit(merge))?.parentIds).toEqual([ours, theirs]);
    expect(await repo.mergeBase([merge, theirs])).toBe(theirs);
    expect((await repo.fsck()).problems).toEqual([]);
  });

  test('list the conflicting paths', async () => {
    await fresh();
    const base = (await build(START)).oid;
    const ours = (await build([change('a.txt', 'ours\n'), change('dir/b.txt', '1\n')], [base])).oid;
    const theirs = (await build([change('a.txt', 'theirs\n'), change('dir/b.txt', '2\n')], [base])).oid;
    expect((await repo.mergeTrees({ ours, theirs })).conflicts).toEqual(['a.txt', 'dir/b.txt']);
  });

  test('cherry-pick and revert a commit', async () => {
    await fresh();
    const base = (await build(START)).oid;
    const one = (await build([change('a.txt', 'one\n')], [base])).oid;
    const two = (await build([change('dir.x', 'two\n')], [one])).oid;
    const picked = await repo.mergeTrees({ ours: base, theirs: two, base: one });
    expect(picked.conflicts).toEqual([]);
    expect([git('show', `${picked.treeOid}:a.txt`), git('show', `${picked.treeOid}:dir.x`)]).toEqual([
      'a',
      'two',
    ]);
    const reverted = await repo.mergeTrees({ ours: two, theirs: base, base: one });
    expect([git('show', `${reverted.treeOid}:a.txt`), git('show', `${reverted.treeOid}:dir.x`)]).toEqual([
      'a',
      'two',
    ]);
  });
});

describe('copies', () => {
  test('contain what the tips reach and nothing else', async () => {
    await fresh();
    const source = repo;
    const first = (await build(START)).oid;
    const second = (await build([{ action: 'delete', path: 'a.txt' }], [first])).oid;
    const hidden = (await build([{ action: 'create', path: 'secret', content: text('secret') }], [first]))
      .oid;
    await fresh();
    await repo.copyObjectsFrom(source, [first]);
    await repo.updateRefs([{ ref: 'refs/heads/main', oldOid: ZERO_OID, newOid: first }]);
    expect([await repo.commit(second), await repo.commit(hidden)]).toEqual([undefined, undefined]);
    await repo.copyObjectsFrom(source, [first, second]);
    await repo.updateRefs([{ ref: 'refs/heads/main', oldOid: first, newOid: second }]);
    expect((await repo.fsck()).problems).toEqual([]);
    expect(await repo.commit(hidden)).toBeUndefined();
    await expect(repo.copyObjectsFrom(source, ['a'.repeat(40)])).rejects.toMatchObject({ code: 'failed' });
  });
});
