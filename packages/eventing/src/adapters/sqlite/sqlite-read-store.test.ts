import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { BEGINNING } from '../../event.ts';
import { describeReadStore } from '../../testing/read-store.contract.ts';
import { put } from '../../testing/read-store-changes.ts';
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
  test('keeps a folded copy of texts beyond ASCII alone', async () => {
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

  test('of a former format is filled anew', async () => {
    const path = await filled();
    const file = new DatabaseSync(path);
    file.exec(`UPDATE "$collections" SET shape = json_remove(shape, '$[0]')`);
    file.close();
    const store = await openSqliteReadStore({ path });
    expect(await store.declare([names])).toEqual({ reset: ['names'] });
    await store.close();
  });

  test('is opened once at a time', async () => {
    const path = newPath();
    const store = await openSqliteReadStore({ path });
    await expect(openSqliteReadStore({ path })).rejects.toThrow(AlreadyOpenError);
    await store.close();
  });

  test('stays as it is where its process was killed', async () => {
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
  ])('is thrown away %s; the positions of policies are not', async (_, harm) => {
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
