/** The same clone again, by stock git and byte for byte: from what is kept, and never from what has changed. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createFixture, type Fixture } from '../testing/fixture.ts';
import { childrenOf } from '../testing/processes.ts';
import { type ServedRepository, serveEmptyRepository } from '../testing/served-repository.ts';
import { gitAsync, gitText } from '../testing/stock-git.ts';

let fixture: Fixture;
let repo: ServedRepository['repo'];
let server: ServedRepository['server'];
let local: ServedRepository['local'];
let push: ServedRepository['push'];
let change: ServedRepository['change'];
let count = 0;

beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  ({ repo, server, local, push, change } = await serveEmptyRepository(fixture));
  for (let index = 0; index < 5; index += 1) change(`file-${index}`, `${index}\n`.repeat(100));
  local('tag', '-a', '-m', 'one', 'v1', 'HEAD~1');
  await push('main', 'v1');
});
afterEach(() => server.close());

async function clone(...options: string[]): Promise<string> {
  count += 1;
  const target = join(fixture.root, `clone-${count}`);
  const { code, stderr } = await gitAsync(fixture.root, ['clone', '-q', ...options, server.url, target]);
  expect([code, stderr]).toEqual([0, '']);
  return target;
}

const packet = (line: string) => `${(line.length + 4).toString(16).padStart(4, '0')}${line}`;
/** What a clone of main sends. */
function request({ capabilities = [] as string[], want = local('rev-parse', 'main') } = {}): string {
  const said = ['command=fetch', 'object-format=sha1', ...capabilities];
  const asked = ['thin-pack', 'no-progress', 'ofs-delta', `want ${want}\n`, 'done\n'];
  return `${said.map(packet).join('')}0001${asked.map(packet).join('')}0000`;
}
async function ask(body: string, signal?: AbortSignal): Promise<string> {
  const options = { protocol: 'version=2', ...(signal && { signal }) };
  const output = await repo.uploadPack(Readable.from([Buffer.from(body)]), options);
  return Buffer.concat(await Array.fromAsync(output)).toString('latin1');
}
/** What of an answer is the pack: how git cuts it into packets differs from time to time. */
function packIn(answer: string): string {
  const parts: string[] = [];
  for (let at = answer.indexOf('packfile\n') + 'packfile\n'.length; at < answer.length; ) {
    const length = Number.parseInt(answer.slice(at, at + 4), 16);
    if (answer[at + 4] === '\x01') parts.push(answer.slice(at + 5, at + length));
    at += Math.max(length, 4);
  }
  const pack = parts.join('');
  expect(pack.slice(0, 4)).toBe('PACK');
  return pack;
}
const packing = async () =>
  childrenOf(await fixture.git.supervisorPid()).filter(({ command }) => command.includes('upload-pack'));

test('it comes from what is kept, whatever client asks', async () => {
  const bodies = [request(), request({ capabilities: ['agent=git/2.39.5', 'session-id=x'] })];
  await ask(bodies[0]!);
  const answers = [await ask(bodies[0]!)];
  // Without its objects there is nothing else that an answer could come from.
  const objects = join(repo.gitDir, 'objects');
  renameSync(objects, `${objects}-away`);
  for (const body of bodies) answers.push(await ask(body));
  renameSync(`${objects}-away`, objects);
  expect(packIn(answers[0]!)).not.toBe('');
  expect(new Set(answers).size).toBe(1);
});

test.each([
  ['whole', []],
  ['of one branch', ['--single-branch']],
  ['shallow', ['--depth=2']],
  ['shallow by date', ['--shallow-since=2000-01-01']],
  ['partial', ['--filter=blob:none']],
])('it is as sound as the first: %s', async (_, options) => {
  const facts = [];
  for (let time = 0; time < 4; time += 1) {
    const target = await clone(...options);
    gitText(target, ['fsck', '--connectivity-only']);
    facts.push(gitText(target, ['rev-list', '--all', '--count']) + gitText(target, ['rev-parse', 'v1']));
  }
  expect(new Set(facts).size).toBe(1);
});

test('it has what was pushed since, and a tag that was put on what it had before', async () => {
  for (let time = 0; time < 3; time += 1) await clone('--single-branch');
  local('tag', '-a', '-m', 'two', 'v2', 'main');
  await push('v2');
  expect(gitText(await clone('--single-branch'), ['rev-parse', 'v2'])).toBe(local('rev-parse', 'v2'));
  const later = change('later');
  await push('main');
  expect(gitText(await clone(), ['rev-parse', 'HEAD'])).toBe(later);
});

test('what is wrong is said each time, and a request by somebody who has something is not kept', async () => {
  const unknown = request({ want: 'f'.repeat(40) });
  for (let time = 0; time < 3; time += 1) expect(await ask(unknown)).toContain('not our ref');
  const having = request().replace(packet('done\n'), packet(`have ${local('rev-parse', 'main~1')}\n`));
  for (let time = 0; time < 3; time += 1) expect(await ask(having)).toContain('acknowledgments');
  // What came last is what a missing object makes of it, and so was made by git.
  renameSync(join(repo.gitDir, 'objects'), join(repo.gitDir, 'away'));
  expect(await ask(having)).not.toContain('acknowledgments');
});

test('for many at once git makes one', async () => {
  const body = request();
  const first = packIn(await ask(body));
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, fixture.git.load().heavy.running);
  }, 0);
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(body)));
  clearInterval(watch);
  expect(new Set(answers).size).toBe(1);
  expect(packIn(answers[0]!)).toBe(first);
  expect(most).toBeLessThanOrEqual(1);
});

test('it leaves no process when its clients go away, and the next one gets it whole', async () => {
  const body = request();
  const first = packIn(await ask(body));
  const gone = new AbortController();
  const asked = ask(body, gone.signal);
  asked.catch(() => {});
  gone.abort();
  await expect(asked).rejects.toThrow();
  await expect.poll(() => fixture.git.load().heavy.running).toBe(0);
  expect(await packing()).toEqual([]);
  expect(packIn(await ask(body))).toBe(first);
});

test('it is made anew after the supervisor of git was killed half-way', async () => {
  const body = request();
  const first = packIn(await ask(body));
  const pid = await fixture.git.supervisorPid();
  const asked = ask(body);
  process.kill(pid, 'SIGKILL');
  // Lost, or made by the next one, or through already: never half.
  expect([first, undefined]).toContain(await asked.then(packIn, () => undefined));
  for (let time = 0; time < 2; time += 1) expect(packIn(await ask(body))).toBe(first);
});

test('it is gone with its repository', async () => {
  const body = request();
  for (let time = 0; time < 3; time += 1) expect(await ask(body)).toContain('packfile');
  await repo.remove();
  await repo.init('main');
  expect(await ask(body)).toContain('not our ref');
});
