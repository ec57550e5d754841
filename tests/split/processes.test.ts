import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ownDatabases } from '@forgelog/eventing/testing/mongodb-databases.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePorts } from '../../infra/local/free-ports.ts';
import { callsTo, ROOT_TOKEN } from '../support/calls.ts';
import { scrape } from '../support/metrics.ts';
import { PROGRAM_ENVIRONMENT, type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { addressOf, git, workingCopy } from '../support/stock-git.ts';

const script = resolve(import.meta.dirname, '../../infra/src/start-split.ts');
/** Where MONGODB_URL names a server, the read models of these processes lie there too. */
const databases = process.env.MONGODB_URL ? ownDatabases(process.env.MONGODB_URL) : undefined;
let dataDir: string;
let running: ServerProcess | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'forgelog-start-split-'));
});
afterEach(async () => {
  await running?.stop();
  await rm(dataDir, { recursive: true, force: true });
  await databases?.drop();
});

function start(environment: Record<string, string>): ServerProcess {
  running = startServerProcess(
    { DATA_DIR: dataDir, ROOT_TOKEN, ...(databases && { MONGODB_URL: databases.url }), ...environment },
    { program: script, isReady: /All services are ready on (http\S+)/ },
  );
  return running;
}

/** Ids of the processes that `parent` started and that still run. */
async function childrenOf(parent: number): Promise<number[]> {
  const children = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8').catch(() => '');
  return children.split(' ').filter(Boolean).map(Number);
}

const commandOf = (pid: number) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
const runs = async (pid: number) => (await commandOf(pid)) !== '';

test('five processes on one log serve as one, keep acknowledged writes, and stop together', async () => {
  const PORT = String((await freePorts(5))[0]);
  const url = `http://127.0.0.1:${PORT}`;
  const first = start({ PORT, REVISION: 'of-the-test' });
  expect(await first.ready, first.output()).toBe(url);
  const forgelog = callsTo(url, []);
  expect((await forgelog.get('/version')).body.revision).toBe('of-the-test');
  for (let at = 0; at < 5; at++) {
    const { samples } = await scrape(`http://127.0.0.1:${Number(PORT) + at}`);
    const info = samples.find(({ name }) => name === 'forgelog_build_info');
    expect(info!.labels.revision).toBe('of-the-test');
  }
  const { body: project } = await forgelog.post('/projects', { name: 'split' });
  await forgelog.post(`/projects/${project.id}/issues`, { title: 'Kept' });
  const folder = await workingCopy();
  await git(
    folder,
    'push',
    '-q',
    addressOf({ url }, 'root/split', { name: 'root', secret: ROOT_TOKEN }),
    'HEAD:main',
  );
  const tracker = await fetch(`http://127.0.0.1:${Number(PORT) + 2}/api/v4/projects/${project.id}/issues`);
  expect(tracker.status).toBe(401);
  const parts = await childrenOf(first.child.pid!);
  expect(parts).toHaveLength(6);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  for (const part of parts) expect(await runs(part)).toBe(false);

  const second = start({ PORT });
  expect(await second.ready, second.output()).toBe(url);
  const { body: issues } = await forgelog.get(`/projects/${project.id}/issues`);
  expect(issues).toMatchObject([{ title: 'Kept' }]);
  expect((await forgelog.get(`/projects/${project.id}/repository/branches`)).body).toHaveLength(1);

  // One that is killed takes the others with it, and nothing is left behind.
  const again = await childrenOf(second.child.pid!);
  const commands = await Promise.all(again.map(commandOf));
  process.kill(again[commands.findIndex((command) => command.includes('services/ci/'))]!, 'SIGKILL');
  expect(await second.ended).toBe(1);
  for (const part of again) expect(await runs(part)).toBe(false);
});

test('a service without its key or its log does not start', async () => {
  const main = resolve(import.meta.dirname, '../../services/tracker/src/main.ts');
  const run = async (environment: Record<string, string>) => {
    const started = spawn(process.execPath, [main], {
      env: { ...PROGRAM_ENVIRONMENT, DATA_DIR: dataDir, ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const [code] = await once(started, 'close');
    return { code, said };
  };
  const nothing = await run({});
  expect(nothing.code).toBe(2);
  expect(nothing.said).toContain('SECRET_KEY: is required');
  const noLog = await run({ SECRET_KEY: 'k'.repeat(32) });
  expect(noLog.code).toBe(2);
  expect(noLog.said).toContain('EVENTSTORE_URL: is required');
  const wrong = await run({
    SECRET_KEY: 'short',
    REPO_URL: 'other=http://127.0.0.1:1',
    TRACKER_URL: 'nonsense',
  });
  expect(wrong.said).toMatch(/SECRET_KEY: .*\n.*REPO_URL: .*default.*\n.*TRACKER_URL: /);
});
