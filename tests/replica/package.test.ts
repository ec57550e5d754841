import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { forgelogForTest } from '../support/forgelog.ts';
import { settleProject } from '../support/inhabitants.ts';
import { emptyFolder } from '../support/stock-git.ts';

const run = promisify(execFile);
const source = resolve(import.meta.dirname, '../../packages/replica');
const PACKAGE = 'node_modules/@forgelog/replica';

/** The package as npm packs it, in a folder of its own with what it depends on. */
async function installed(): Promise<string> {
  const folder = await emptyFolder();
  await run('npm', ['pack', '--pack-destination', folder, '--loglevel=error'], { cwd: source });
  const [archive] = await readdir(folder);
  await mkdir(join(folder, PACKAGE), { recursive: true });
  await run('tar', ['-xzf', archive!, '-C', PACKAGE, '--strip-components=1'], { cwd: folder });
  for (const name of await readdir(join(source, 'node_modules')))
    if (!/^[.@]/.test(name))
      await symlink(join(source, 'node_modules', name), join(folder, 'node_modules', name));
  return folder;
}

/** A Node of this machine that is older than 24, if there is one; else this one. */
async function oldestNode(): Promise<string> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const node = join(folder, 'node');
    const version = await run(node, ['--version']).then(
      ({ stdout }) => Number(/^v(\d+)/.exec(stdout)?.[1]),
      () => 0,
    );
    if (version >= 20 && version < 24) return node;
  }
  return process.execPath;
}

test('the package starts on the oldest Node that is here, fills tables, and finds no difference', async () => {
  const forgelog = await forgelogForTest();
  await settleProject(forgelog, 'packed');
  const folder = await installed();
  const node = await oldestNode();
  const call = (...args: string[]) =>
    run(node, [join(folder, PACKAGE, 'bin/forgelog-replica.js'), ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, FORGELOG_TOKEN: forgelog.rootToken },
    });
  const asked = ['--server', forgelog.url, '--database', 'tables.sqlite'];
  await call('follow', ...asked, '--once');
  expect((await call('verify', ...asked)).stdout).toMatch(/ 0 differences\n$/);
  expect((await call('tables')).stdout).toContain('projects');
  await expect(call('follow', '--server', 'nowhere')).rejects.toMatchObject({ code: 2 });
});
