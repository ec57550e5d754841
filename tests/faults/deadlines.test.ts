import { setTimeout as sleep } from 'node:timers/promises';
import { openMemoryFeed } from '@forgelog/eventing/adapters/memory/memory-feed.ts';
import { childrenOf } from '@forgelog/git/testing/processes.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ROOT_TOKEN } from '../support/calls.ts';
import { startCluster } from '../support/cluster.ts';
import { startForgelog } from '../support/forgelog.ts';
import { createStall } from '../support/stalled-ports.ts';
import { storesUnderTest } from '../support/stores.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

vi.setConfig({ testTimeout: 180_000 });

/**
 * Shorter than those of the product, and long enough for what a slow disk and a busy machine do while nothing hangs.
 * An answer may take longer than the page of metrics waits for a figure.
 */
const deadlines = { logMs: 3_000, answerMs: 10_000, stopMs: 500, restartMs: 300 };
/** Every answer's bound, several times over: what never comes is to be told from what is slow. */
const BOUND_MS = 4 * deadlines.answerMs;

interface Answered {
  call: string;
  status: number | string;
}

const tokenHeader = { 'PRIVATE-TOKEN': ROOT_TOKEN };
const basicHeader = { Authorization: `Basic ${Buffer.from(`root:${ROOT_TOKEN}`).toString('base64')}` };

/** What a call is answered within the bound; its error where it is not. */
async function ask(url: string, call: string): Promise<Answered> {
  const [method, path, body] = call.split(' ') as [string, string, string?];
  const status = await fetch(url + path, {
    method,
    headers: {
      ...(path.startsWith('/api/') ? tokenHeader : basicHeader),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body }),
    signal: AbortSignal.timeout(BOUND_MS),
  }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    (error: Error) => error.name,
  );
  return { call, status };
}

const PROBES = ['GET /-/liveness', 'GET /-/readiness', 'GET /-/health', 'GET /-/metrics'];

/** One of each kind: cached and not, read and write, JSON and git, of each service. */
const callsTo = (id: number, path: string) => [
  'GET /api/v4/version',
  'GET /api/v4/user',
  'GET /api/v4/users?search=stall',
  'GET /api/v4/groups',
  'GET /api/v4/audit_events',
  `GET /api/v4/projects/${id}`,
  `GET /api/v4/projects/${id}/issues`,
  `POST /api/v4/projects/${id}/issues {"title":"late"}`,
  `GET /api/v4/projects/${id}/repository/tree`,
  `POST /api/v4/projects/${id}/repository/branches?branch=BRANCH&ref=main`,
  `GET /api/v4/projects/${id}/freeze_periods`,
  `GET /${path}.git/info/refs?service=git-upload-pack`,
];

/** Probes never wait, and the page of metrics only for its figures. */
async function expectProbes(url: string): Promise<void> {
  for (const call of PROBES) expect(await ask(url, call)).toEqual({ call, status: 200 });
}

let branches = 0;

/** Answers that are neither what the call gives on a good day nor 503. */
async function wrongAnswers(url: string, calls: readonly string[]): Promise<Answered[]> {
  branches++;
  const answers = await Promise.all(
    calls.map((call) => ask(url, call.replace('BRANCH', `late-${branches}`))),
  );
  return answers.filter(({ status }) => typeof status === 'string' || (status >= 400 && status !== 503));
}

/** Ends within what each of its steps may take, whatever hangs. */
async function expectToStop(stop: () => Promise<unknown>): Promise<void> {
  const late = sleep(60_000, 'late', { ref: false });
  expect(await Promise.race([stop().then(() => 'stopped'), late])).toBe('stopped');
}

// Tests that wait for deadlines wait at the same time, each with a Forgelog of its own.
test.concurrent.for(['log', 'read models'] as const)(
  'one process answers and stops while calls to its %s hang',
  async (port) => {
    const stall = createStall();
    const forgelog = await startForgelog({
      deadlines,
      environment: { KAFKA_BROKERS: 'nobody-asks:9092' },
      openFeed: async () => ({ ...openMemoryFeed(), publish: () => new Promise(() => {}) }),
      async openStores(configuration) {
        const { store, readStore } = await storesUnderTest(configuration);
        if (port === 'log') return { store: stall.log(store), readStore };
        return { store, readStore: stall.readStore(readStore) };
      },
    });
    const { body } = await forgelog.post('/projects', { name: 'stalls', initialize_with_readme: true });
    const calls = callsTo(body.id, body.path_with_namespace);
    expect(await wrongAnswers(forgelog.url, calls)).toEqual([]);
    stall.begin();
    expect(await wrongAnswers(forgelog.url, calls)).toEqual([]);
    await expectProbes(forgelog.url);
    await expectToStop(forgelog.stop);
  },
);

test.concurrent.for(['log', 'read models', 'registers'] as const)(
  'separate services answer and stop while calls to their %s hang',
  async (port) => {
    const stall = createStall();
    const cluster = await startCluster({
      deadlines,
      storesOf({ store, readStore, registers }) {
        if (port === 'log') return { store: stall.log(store), readStore, registers };
        if (port === 'read models') return { store, readStore: stall.readStore(readStore), registers };
        return { store, readStore, registers: registers && stall.registers(registers) };
      },
    });
    const { body } = await cluster.post('/projects', { name: 'apart', initialize_with_readme: true });
    const calls = callsTo(body.id, body.path_with_namespace);
    expect(await wrongAnswers(cluster.url, calls)).toEqual([]);
    stall.begin();
    expect(await wrongAnswers(cluster.url, calls)).toEqual([]);
    for (const [replica] of Object.values(cluster.replicas)) await expectProbes(replica!.address);
    await expectToStop(cluster.stop);
  },
);

test.concurrent('the gateway answers while a service never responds', async ({ onTestFinished }) => {
  const proxies: TcpProxy[] = [];
  onTestFinished(async () => {
    for (const proxy of proxies) await proxy.close();
  });
  const cluster = await startCluster({
    deadlines,
    async addressOf(_, url) {
      const proxy = await startTcpProxy({ port: Number(new URL(url).port) });
      proxies.push(proxy);
      return `http://127.0.0.1:${proxy.port}`;
    },
  });
  const { body } = await cluster.post('/projects', { name: 'silent', initialize_with_readme: true });
  const calls = callsTo(body.id, body.path_with_namespace);
  expect(await wrongAnswers(cluster.url, calls)).toEqual([]);
  for (const proxy of proxies) await proxy.set({ kind: 'mute' });
  expect(await wrongAnswers(cluster.url, calls)).toEqual([]);
  await expectProbes(cluster.url);
  await expectToStop(cluster.stop);
});

// By itself: it stops every child of this process.
test('one process answers while its git is stopped', async () => {
  const forgelog = await startForgelog({ deadlines });
  const { body } = await forgelog.post('/projects', { name: 'still', initialize_with_readme: true });
  const calls = callsTo(body.id, body.path_with_namespace);
  expect(await wrongAnswers(forgelog.url, calls)).toEqual([]);
  const stopped = childrenOf(process.pid).map(({ pid }) => pid);
  expect(stopped.length).toBeGreaterThan(0);
  for (const pid of stopped) process.kill(pid, 'SIGSTOP');
  try {
    const answers = await wrongAnswers(forgelog.url, calls);
    expect(answers).toEqual([]);
    await expectProbes(forgelog.url);
  } finally {
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
  }
  await forgelog.stop();
});

test('once the log answers again it is used again, and nothing waits for the hung calls', async () => {
  const stall = createStall();
  const forgelog = await startForgelog({
    deadlines,
    async openStores(configuration) {
      const { store, readStore } = await storesUnderTest(configuration);
      return { store: stall.log(store), readStore };
    },
  });
  onTestFinished(() => forgelog.stop());
  const { body: project } = await forgelog.post('/projects', { name: 'again' });
  const issues = `/projects/${project.id}/issues`;
  await forgelog.post(issues, { title: 'first' });
  stall.begin();
  expect((await forgelog.put(`${issues}/1`, { title: 'never' })).status).toBe(503);
  stall.end();
  expect((await forgelog.put(`${issues}/1`, { title: 'second' })).body).toMatchObject({ title: 'second' });
});
