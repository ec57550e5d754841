import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { openEmbeddedStores } from '@forgelog/infra/embedded-stores.ts';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { startForgelog } from '../support/forgelog.ts';
import { PROGRAM_ENVIRONMENT } from '../support/server-process.ts';
import { verify } from '../support/verify.ts';

const run = promisify(execFile);
const script = resolve(import.meta.dirname, '../../infra/src/verify.ts');

let folder: string;
let sound: string;
let dataDir: string;
let repository: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forgelog-verify-'));
  sound = join(folder, 'sound');
  const forgelog = await startForgelog({ dataDir: sound });
  const amy = await createUser(forgelog, { username: 'amy' });
  const project = await forgelog.post('/projects', { name: 'p', initialize_with_readme: true });
  const at = `/projects/${project.body.id}`;
  await forgelog.post(`${at}/repository/branches`, { branch: 'next', ref: 'main' });
  await forgelog.post(`${at}/members`, { user_id: amy.id, access_level: 30 });
  await forgelog.post(`${at}/issues`, { title: 'One' }, { token: amy.token });
  const gone = await forgelog.post('/projects', { name: 'gone' });
  await forgelog.delete(`/projects/${gone.body.id}`);
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
  await forgelog.stop();
  repository = join('repositories', repositoryPath(project.body.id));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  dataDir = await mkdtemp(join(folder, 'copy-'));
  await cp(sound, dataDir, { recursive: true });
});

/** Changes a database behind everybody's back. */
function change(file: string, sql: string): void {
  const db = new DatabaseSync(join(dataDir, file));
  db.exec(sql);
  db.close();
}

test('a sound data folder has no problems and is not changed', async () => {
  const before = await readFile(join(dataDir, 'events.db'));
  const { problems, output } = await verify(dataDir);
  expect(problems).toEqual([]);
  for (const part of ['files', 'log', 'read models', 'audit', 'repositories'])
    expect(output).toMatch(new RegExp(`^${part} .* ok$`, 'm'));
  expect(await readFile(join(dataDir, 'events.db'))).toEqual(before);
  expect((await verify(dataDir)).problems).toEqual([]);
});

test('the program exits with 0 without problems, else prints them and exits with 1', async () => {
  const program = (folder: string) => run(process.execPath, [script, folder], { env: PROGRAM_ENVIRONMENT });
  expect((await program(dataDir)).stdout).toMatch(/No problem was found\.\n$/);
  await rm(join(dataDir, repository, 'objects'), { recursive: true });
  await mkdir(join(dataDir, repository, 'objects/pack'), { recursive: true });
  await expect(program(dataDir)).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /1 problem\n[\s\S]* {2}git fsck on project 1 .*\n[\s\S]*1 problem found\.\n$/,
    ),
  });
});

test('a copy whose repositories are newer or older than its log is made right by the next start, as verify says', async () => {
  const copy = await mkdtemp(join(folder, 'copied-'));
  await cp(join(dataDir, 'events.db'), join(copy, 'events.db'));
  const forgelog = await startForgelog({ dataDir, openStores: openEmbeddedStores });
  await forgelog.post('/projects/1/repository/branches', { branch: 'later', ref: 'main' });
  await forgelog.delete('/projects/1/repository/branches/next');
  await forgelog.stop();
  await cp(join(dataDir, 'repositories'), join(copy, 'repositories'), { recursive: true });
  const { stdout } = await run(process.execPath, [script, copy], { env: PROGRAM_ENVIRONMENT });
  for (const ref of ['later', 'next'])
    expect(stdout).toMatch(new RegExp(`refs/heads/${ref} of project 1 .*; the next start mends it\\.`));
  expect(stdout).toMatch(/The next start mends 2 differences\.\nNo problem was found\.\n$/);
  await startForgelog({ dataDir: copy, openStores: openEmbeddedStores }).then((again) => again.stop());
  expect((await verify(copy)).problems).toEqual([]);
});

test('what no start would notice is a problem', async () => {
  await startForgelog({ dataDir, openStores: openEmbeddedStores }).then((again) => again.stop());
  await rm(join(dataDir, repository, 'refs/heads/next'));
  // As if the disk had lost it: the mark is newer than the folder.
  const mark = join(dataDir, 'repositories/clean-stop');
  await writeFile(mark, await readFile(mark));
  await expect(run(process.execPath, [script, dataDir], { env: PROGRAM_ENVIRONMENT })).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/refs\/heads\/next .*; `npm run repair` mends it\.\n1 problem found\.\n$/),
  });
});

test.each<[what: string, break_: () => Promise<void> | void, said: RegExp]>([
  [
    'an event whose text was changed',
    () => change('events.db', `UPDATE events SET data = replace(data, 'One', 'Two')`),
    /event at position \d+ \(issue-1-1\/0\) is damaged/,
  ],
  [
    'an event that is missing',
    () => change('events.db', `DELETE FROM events WHERE position = 7`),
    /misses position 7/,
  ],
  [
    'a log that lost its end',
    () => change('events.db', `DELETE FROM events WHERE position > 12`),
    /has seen events up to \d+, the log ends at 0*12/,
  ],
  ['a log that is cut off', () => truncate(join(dataDir, 'events.db'), 20_000), /events\.db is damaged/],
  ['no log', () => rm(join(dataDir, 'events.db')), /holds no log/],
  [
    'a read model that was changed',
    () => change('read-models.db', `UPDATE issues SET title = 'Two'`),
    /issues is not what the log gives/,
  ],
  [
    'a document that nobody made',
    () => change('read-models.db', `UPDATE issues SET iid = iid + 1`),
    /issues is not what the log gives/,
  ],
  [
    'an audit event that is missing',
    () => change('read-models.db', 'DELETE FROM audit_events WHERE id = 2'),
    /has no audit event/,
  ],
  [
    'an audit event with another actor',
    () => change('read-models.db', 'UPDATE audit_events SET authorId = 77 WHERE id = 4'),
    /names user 77, not/,
  ],
  [
    'an audit event that says another did it through sudo',
    () => change('read-models.db', 'UPDATE audit_events SET impersonatorId = 77 WHERE id = 4'),
    /names administrator 77, not null/,
  ],
  [
    'a ref that moved without the log',
    () => writeFile(join(dataDir, repository, 'refs/heads/other'), `${'1'.repeat(40)}\n`),
    /refs\/heads\/other of project 1 .* absent in the log/,
  ],
  [
    'a ref that is gone',
    () => rm(join(dataDir, repository, 'refs/heads/next')),
    /refs\/heads\/next of project 1 .* is absent in git/,
  ],
  [
    'a lock that was left',
    () => writeFile(join(dataDir, repository, 'refs/heads/main.lock'), ''),
    /refs\/heads\/main\.lock .* left behind/,
  ],
  [
    'a quarantine that was left',
    async () => void (await mkdir(join(dataDir, repository, 'objects/tmp_objdir-incoming-x'))),
    /tmp_objdir-incoming-x .* left behind/,
  ],
  [
    'objects that are gone',
    async () => {
      await rm(join(dataDir, repository, 'objects'), { recursive: true });
      await mkdir(join(dataDir, repository, 'objects/pack'), { recursive: true });
    },
    /git fsck on project 1/,
  ],
  ['a repository that is gone', () => rm(join(dataDir, repository), { recursive: true }), /is not there/],
])('%s is found', async (_, break_, said) => {
  await break_();
  const { problems, output } = await verify(dataDir);
  expect(problems.join('\n')).toMatch(said);
  expect(output).toMatch(said);
});

test('the data folder of a running server is left alone', async () => {
  const forgelog = await startForgelog({ dataDir });
  const { problems } = await verify(dataDir);
  await forgelog.stop();
  expect(problems).toEqual([
    expect.stringMatching(/cannot be opened: .* already open for writing \(process \d+\)/),
  ]);
});
