import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buildOnce, FetchError } from './build-step.ts';

let folder: string;
let source: string;
const built = new Set<string>();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'forgelog-build-'));
  source = join(folder, 'source');
});
afterEach(() => {
  for (const output of built) rmSync(output, { recursive: true, force: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shell = (script: string) => () => ({ command: 'sh', args: ['-c', script], cwd: folder });
const write = (to: string) => (output: string) => shell(`echo made >> "${output}/${to}"`)();
const step = {
  name: `test-${process.pid}`,
  get sources() {
    return [source];
  },
};

test('builds once for the same sources, and leaves no draft', async () => {
  writeFileSync(source, 'one');
  const first = await buildOnce({ ...step, fetch: write('fetched'), build: write('made') });
  built.add(first);
  expect(readFileSync(join(first, 'made'), 'utf8')).toBe('made\n');
  expect(await buildOnce({ ...step, fetch: shell('exit 1') })).toBe(first);
  expect(existsSync(`${first}.${process.pid}`)).toBe(false);
  writeFileSync(source, 'two');
  const second = await buildOnce({ ...step, fetch: write('fetched') });
  built.add(second);
  expect(second).not.toBe(first);
  expect(dirname(second)).toBe(dirname(first));
});

test('distinguishes fetch from build failures, and keeps no result', async () => {
  writeFileSync(source, 'three');
  const wrong = buildOnce({ ...step, fetch: shell('exit 4') });
  await expect(wrong).rejects.toThrow(FetchError);
  await expect(wrong).rejects.toThrow('could not be fetched: sh -c ended with 4');
  const broken = buildOnce({ ...step, fetch: shell('true'), build: shell('exit 5') });
  await expect(broken).rejects.not.toBeInstanceOf(FetchError);
  await expect(broken).rejects.toThrow('sh -c ended with 5');
  built.add(await buildOnce({ ...step, fetch: write('fetched') }));
});

test('an aborted build is killed with all its processes', async () => {
  writeFileSync(source, 'four');
  const listener = createServer();
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const { port } = listener.address() as { port: number };
  const connected = once(listener, 'connection');
  const stopped = new AbortController();
  const compiler = `"${process.execPath}" -e 'require("node:net").connect(${port}, "127.0.0.1")'`;
  const cut = buildOnce({
    ...step,
    fetch: shell('true'),
    build: shell(`${compiler} & wait`),
    signal: stopped.signal,
  });
  const [socket] = await connected;
  const gone = once(socket.on('error', () => {}).resume(), 'close');
  stopped.abort();
  await expect(cut).rejects.toThrow('sh -c ended with SIGTERM');
  await gone;
  listener.close();
});
