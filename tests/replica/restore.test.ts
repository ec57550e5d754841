import { execFile } from 'node:child_process';
import { copyFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { openEmbeddedStores } from '@forgelog/infra/embedded-stores.ts';
import { expect, test } from 'vitest';
import { type Forgelog, forgelogForTest, startForgelog } from '../support/forgelog.ts';
import { startReplica } from '../support/replica-process.ts';
import { emptyFolder } from '../support/stock-git.ts';

const epoch = resolve(import.meta.dirname, '../../infra/src/epoch.ts');

test('tables of a restored server, or of another one, are refused with what to do', async () => {
  const folder = await emptyFolder();
  const dataDir = join(folder, 'data');
  const log = join(dataDir, 'events.db');
  const served = async (work: (forgelog: Forgelog) => Promise<void>) => {
    const forgelog = await startForgelog({ dataDir, openStores: openEmbeddedStores });
    await work(forgelog).finally(() => forgelog.stop());
  };
  const add = (forgelog: Forgelog, name: string) => forgelog.post('/projects', { name });
  const follow = async ({ url }: Forgelog, file: string) => {
    const replica = startReplica(...['follow', '--once', '--server', url, '--database', join(folder, file)]);
    return { code: await replica.ended, output: replica.output() };
  };

  await served(async (forgelog) => void (await add(forgelog, 'kept')));
  await copyFile(log, join(folder, 'backup.db'));
  await served(async (forgelog) => {
    await add(forgelog, 'lost');
    expect((await follow(forgelog, 'tables.sqlite')).code).toBe(0);
  });

  await copyFile(join(folder, 'backup.db'), log);
  for (const name of ['', '-wal', '-shm', '.policies'])
    await rm(join(dataDir, `read-models.db${name}`), { force: true });
  await promisify(execFile)(process.execPath, [epoch], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
  });
  await served(async (forgelog) => {
    for (const name of ['new-a', 'new-b', 'new-c']) await add(forgelog, name);
    expect(await follow(forgelog, 'tables.sqlite')).toEqual({
      code: 2,
      output: expect.stringMatching(/restored from a backup[\s\S]*Remove the file and follow again/),
    });
    expect((await follow(forgelog, 'again.sqlite')).code).toBe(0);
  });

  const other = await forgelogForTest();
  expect(await follow(other, 'again.sqlite')).toEqual({
    code: 2,
    output: expect.stringMatching(/filled from another server[\s\S]*Name that server, or another file/),
  });
});
