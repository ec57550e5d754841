import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { BEGINNING } from '../../event.ts';
import { and, asc, desc, eq, holdsWords, range } from '../../query.ts';
import { type Change, type ReadStore, ReadStoreUnavailableError } from '../../read-store.ts';
import { describeReadStore } from '../../testing/read-store.contract.ts';
import { put, remove } from '../../testing/read-store-changes.ts';
import { names, things } from '../../testing/sample-collections.ts';
import { AlreadyOpenError } from './exclusive-lock.ts';
import { openSqliteReadStore } from './sqlite-read-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'read-models-'));
let files = 0;
const newPath = () => join(folder, `${++files}.db`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeReadStore('sqlite', async () => {
  const path = newPath();
  const store = await openSqliteReadStore({ path });
  return {
    store,
    async reopen() {
      await store.close();
      return openSqliteReadStore({ path });
    },
  };
});

const document = { path: 'a', owner: 1, slug: 's', tags: null };

async function filled(): Promise<string> {
  const path = newPath();
  const store = await openSqliteReadStore({ path });
  await store.declare([names]);
  await store.reset([names], []);
  await store.write({
    changes: [put(names, document)],
    checkpoints: new Map([
      ['some', '1'],
      ['policy:mail', '1'],
    ]),
  });
  await store.close();
  return path;
}

describe('the read model file', () => {
  test('finds words that many documents hold, page by page', async () => {
    const store = await openSqliteReadStore({ path: newPath() });
    await store.declare([things]);
    const changes = Array.from({ length: 2500 }, (_, id) =>
      put(things, { id, title: id % 7 === 0 ? 'the odd one' : 'the rest', group: id % 3 }),
    );
    await store.write({ changes, checkpoints: new Map() });
    const where = and(holdsWords(['title'], ['the']), eq('group', 1));
    const expected = Array.from({ length: 2500 }, (_, id) => id).filter((id) => id % 3 === 1);
    expect(await store.count(things, { where, atMost: 5000 })).toBe(expected.length);
    expect(await store.count(things, { where: holdsWords(['title'], ['the']), atMost: 50 })).toBe(50);
    for (const offset of [0, 10, 800]) {
      const page = await store.find(things, { where, sort: [desc('id')], limit: 10, offset });
      expect(page.map(({ id }) => id)).toEqual(expected.toReversed().slice(offset, offset + 10));
    }
    const after = await store.find(things, { where, sort: [asc('id')], after: [2400], limit: 3 });
    expect(after.map(({ id }) => id)).toEqual([2401, 2404, 2407]);
    const narrow = and(holdsWords(['title'], ['the']), eq('group', 1), range('id', { gte: 30, lt: 40 }));
    expect(await store.count(things, { where: narrow, atMost: 99 })).toBe(3);
    await store.close();
  });

  test('does not read texts again that a change leaves as they are, and forgets those of deleted documents', async () => {
    const path = newPath();
    const store = await openSqliteReadStore({ path });
    await store.declare([things]);
    const write = (...changes: Change[]) => store.write({ changes, checkpoints: new Map() });
    await write(put(things, { id: 1, title: 'one' }, '1'), put(things, { id: 2, title: 'two' }, '1'));
    await write(put(things, { id: 1, title: 'one', group: 2 }, '2'), remove(things, 2, '2'));
    await store.close();
    const file = new DatabaseSync(path, { readOnly: true });
    const rows = file.prepare('SELECT id FROM "some_things$$words_docsize"').all();
    file.close();
    expect(rows).toEqual([{ id: 1 }]);
  });

  test('keeps a folded copy only of non-ASCII texts', async () => {
    const path = newPath();
    const store = await openSqliteReadStore({ path });
    await store.declare([things]);
    const titles = ['ASCII\0 alone', 'Ünd mehr', '', null];
    const changes = titles.map((title, id) => put(things, { id, title }));
    await store.write({ changes, checkpoints: new Map() });
    await store.close();
    const file = new DatabaseSync(path, { readOnly: true });
    const rows = file.prepare('SELECT "$folded_title" AS folded FROM some_things ORDER BY id').all();
    file.close();
    expect(rows.map(({ folded }) => folded)).toEqual([null, 'ünd mehr', null, null]);
  });

  test('holds the values of many fields together as well, and JSON only there', async () => {
    const path = newPath();
    const store = await openSqliteReadStore({ path });
    await store.declare([things, names]);
    const body = { a: 'b' };
    await store.write({ changes: [put(things, { id: 1, open: true, body })], checkpoints: new Map() });
    expect(await store.getFields(things, 1, ['body'])).toEqual({ body });
    await store.close();
    const file = new DatabaseSync(path, { readOnly: true });
    const [row] = file.prepare('SELECT * FROM some_things').all();
    const columns = file.prepare("SELECT name FROM pragma_table_info('names')").all();
    file.close();
    expect(JSON.parse(String(row!.$packed))).toEqual([null, null, true, null, null, null, null, body]);
    expect(row).toMatchObject({ open: 1 });
    expect(row).not.toHaveProperty('body');
    expect(columns.map(({ name }) => name)).not.toContain('$packed');
  });

  test('of an older format is filled again', async () => {
    const path = await filled();
    const file = new DatabaseSync(path);
    file.exec(`UPDATE "$collections" SET shape = json_remove(shape, '$[0]')`);
    file.close();
    const store = await openSqliteReadStore({ path });
    expect(await store.declare([names])).toEqual({ reset: ['names'] });
    await store.close();
  });

  test('is opened by one process at a time', async () => {
    const path = newPath();
    const store = await openSqliteReadStore({ path });
    await expect(openSqliteReadStore({ path })).rejects.toThrow(AlreadyOpenError);
    await store.close();
  });

  test('survives a kill', async () => {
    const path = await filled();
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    writeFileSync(`${path}.open`, `1\n${boot}\n`);
    const store = await openSqliteReadStore({ path });
    expect(await store.declare([names])).toEqual({ reset: [] });
    expect(await store.get(names, 'a')).toEqual(document);
    await store.close();
  });

  test.each([
    ['after a loss of power', (path: string) => writeFileSync(`${path}.open`, '1\nanother boot\n')],
    ['when it is damaged', (path: string) => writeFileSync(path, 'x'.repeat(9000))],
  ])('is deleted %s, but policy checkpoints are not', async (_, harm) => {
    const path = await filled();
    harm(path);
    const store = await openSqliteReadStore({ path });
    expect(await store.declare([names])).toEqual({ reset: ['names'] });
    expect(await store.get(names, 'a')).toBeUndefined();
    expect(await store.checkpoint('some')).toBe(BEGINNING);
    expect(await store.checkpoint('policy:mail')).toBe('1');
    await store.close();
  });
});

/** Opens a store and fills the disk during an uncommitted write, which therefore cannot be applied again. */
async function filling<S extends Pick<ReadStore, 'declare' | 'reset' | 'write' | 'get'>>(
  path: string,
  open: () => Promise<S>,
): Promise<S> {
  const executed = vi.spyOn(DatabaseSync.prototype, 'exec');
  onTestFinished(() => executed.mockRestore());
  const store = await open();
  const connection = executed.mock.contexts.find((db) => (db as DatabaseSync).location() === path);
  const atMost = (pages: number) => (connection as DatabaseSync).exec(`PRAGMA max_page_count = ${pages}`);
  await store.declare([names]);
  await store.reset([names], []);
  const write = (position: string, length: number) => {
    const change = put(names, { ...document, slug: 'x'.repeat(length) }, position);
    return store.write({ changes: [change], checkpoints: new Map([['some', position]]) });
  };
  atMost(100);
  await write('1', 100_000);
  await expect(write('2', 1_000_000)).rejects.toThrow(ReadStoreUnavailableError);
  atMost(1);
  await expect(store.get(names, 'a')).rejects.toThrow(ReadStoreUnavailableError);
  return store;
}

describe('on a full disk', () => {
  test('a candidate is discarded and releases its space', async () => {
    const path = await filled();
    const store = await openSqliteReadStore({ path });
    await store.declare([names]);
    const candidate = await filling(`${path}.rebuild`, () => store.beside());
    await candidate.discard();
    for (const suffix of ['', '-wal', '-shm']) expect(existsSync(`${path}.rebuild${suffix}`)).toBe(false);
    expect(await store.get(names, 'a')).toEqual(document);
    await store.close();
  });

  test('the store closes like after a kill', async () => {
    const path = newPath();
    const store = await filling(path, () => openSqliteReadStore({ path }));
    await store.close();
    const next = await openSqliteReadStore({ path });
    await next.declare([names]);
    expect(await next.get(names, 'a')).toBeUndefined();
    expect(await next.checkpoint('some')).toBe(BEGINNING);
    await next.close();
  });
});
