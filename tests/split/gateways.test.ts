import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePorts } from '../../infra/local/free-ports.ts';
import { eventually } from '../support/eventually.ts';
import { ROOT_TOKEN } from '../support/mixed-load.ts';
import { probe } from '../support/probes.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const root = resolve(import.meta.dirname, '../..');
const LOG = 'packages/eventing/src/adapters/eventstoredb/testing/server/main.ts';
const SERVICES = ['repo', 'admin', 'tracker', 'ci'] as const;
const GATEWAYS = 3;
const ISSUES = 4;
/** Gateways refuse an address after 50 wrong tokens. */
const TOKENS = 20;
const DISTURBED_MS = 2_000;
/** Longer than a gateway is paused: what it is asked meanwhile it answers when it wakes. */
const PATIENCE_MS = 20_000;
/** Who is cut off from the log notices within a second. */
const DEADLINES = 'defaultDeadline=1000&keepAliveInterval=1000&keepAliveTimeout=1000';

let folder: string;
let project: number;
const environments: Record<string, string>[] = [];
const gateways: ServerProcess[] = [];
const proxies: TcpProxy[] = [];
const others: ServerProcess[] = [];

const addressOf = (gateway: number) => `http://127.0.0.1:${environments[gateway]!.PORT}`;

async function startGateway(at: number): Promise<void> {
  const program = join(root, 'services/gateway/src/main.ts');
  const started = startServerProcess(environments[at]!, { program, isReady: / is ready on (\S+)/ });
  gateways[at] = started;
  expect(await started.ready, started.output()).toBeDefined();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forgelog-gateways-'));
  const ports = await freePorts(SERVICES.length + GATEWAYS);
  const log = startServerProcess(
    { DATA_DIR: join(folder, 'eventstore') },
    { program: join(root, LOG), isReady: /(esdb:\S+)/ },
  );
  others.push(log);
  const logUrl = (await log.ready)!;
  const common: Record<string, string> = {
    DATA_DIR: folder,
    ROOT_TOKEN,
    SECRET_KEY: 'the secret key of the tests, long enough',
    EXTERNAL_URL: `http://127.0.0.1:${ports[SERVICES.length]}`,
    EVENTSTORE_URL: logUrl,
  };
  for (const [at, service] of SERVICES.entries())
    common[`${service.toUpperCase()}_URL`] = `http://127.0.0.1:${ports[at]}`;
  for (let at = 0; at < GATEWAYS; at += 1) {
    const proxy = await startTcpProxy({ port: Number(/:(\d+)\?/.exec(logUrl)![1]) });
    proxies.push(proxy);
    environments.push({
      ...common,
      EVENTSTORE_URL: `esdb://127.0.0.1:${proxy.port}?tls=false&${DEADLINES}`,
      PORT: String(ports[SERVICES.length + at]),
      REPLICA: String(at),
    });
  }
  const services = SERVICES.map((service, at) =>
    startServerProcess(
      { ...common, PORT: String(ports[at]) },
      { program: join(root, `services/${service}/src/main.ts`), isReady: / is ready on (\S+)/ },
    ),
  );
  others.push(...services);
  const started = [...services.map(({ ready }) => ready), ...environments.map((_, at) => startGateway(at))];
  await Promise.all(started);
  const made = await call(0, 'POST', '/projects', { body: { name: 'Seen' } });
  expect(made?.status).toBe(201);
  project = made!.body.id as number;
});

afterAll(async () => {
  for (const { child } of gateways) child.kill('SIGCONT');
  for (const running of [...gateways, ...others]) await running.stop('SIGKILL');
  for (const proxy of proxies) await proxy.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** undefined where nobody answers, or asks to come again: then nothing was said. */
async function call(
  gateway: number,
  method: string,
  path: string,
  { token = ROOT_TOKEN, body }: { token?: string; body?: object } = {},
): Promise<Answer | undefined> {
  const headers = { 'PRIVATE-TOKEN': token, ...(body && { 'Content-Type': 'application/json' }) };
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const given = { method, headers, signal, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${addressOf(gateway)}/api/v4${path}`, given);
    const text = await response.text();
    if (response.status === 503) return undefined;
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  } catch {
    return undefined;
  }
}

interface Run {
  stale: string[];
  writes: number;
  /** Answers that each gateway gave since it was last counted. */
  answers: number[];
  stop(): Promise<void>;
}

/**
 * Writes through one gateway after another, and reads through all. What an answer acknowledged before a read was sent must be
 * in the answer to that read: a title's number, or whether a token is one.
 */
async function use(count: number): Promise<Run> {
  const ending = new AbortController();
  const run = { stale: [] as string[], writes: 0, answers: Array.from({ length: count }, () => 0) };
  const any = () => Math.floor(Math.random() * count);
  const issues: { iid: number; acknowledged: number }[] = [];
  for (let at = 0; at < ISSUES; at += 1) {
    const opened = await call(0, 'POST', `/projects/${project}/issues`, { body: { title: '0' } });
    issues.push({ iid: opened!.body.iid as number, acknowledged: 0 });
  }
  const pathOf = ({ iid }: { iid: number }) => `/projects/${project}/issues/${iid}`;

  const writer = async (issue: (typeof issues)[number]) => {
    for (let number = 1; !ending.signal.aborted; number += 1) {
      const answer = await call(any(), 'PUT', pathOf(issue), { body: { title: String(number) } });
      if (answer?.status === 200) {
        issue.acknowledged = number;
        run.writes += 1;
      } else await sleep(20);
    }
  };
  const reader = async (gateway: number) => {
    for (let turn = gateway; !ending.signal.aborted; turn += 1) {
      const issue = issues[turn % issues.length]!;
      const { acknowledged } = issue;
      const answer = await call(gateway, 'GET', pathOf(issue));
      if (!answer) await sleep(20);
      else {
        run.answers[gateway]! += 1;
        if (answer.status !== 200 || Number(answer.body.title) < acknowledged)
          run.stale.push(`gateway ${gateway}: ${answer.status} ${answer.body.title} after ${acknowledged}`);
      }
      await sleep(2);
    }
  };
  /** A token is of use to all once it is made, and to nobody once it is revoked. */
  const signing = async () => {
    for (let left = TOKENS; left > 0 && !ending.signal.aborted; left -= 1) {
      const body = { name: 'seen', scopes: ['api'] };
      const made = await call(any(), 'POST', '/users/1/personal_access_tokens', { body });
      if (made?.status === 201) {
        const token = made.body.token as string;
        await expectAll(token, 200);
        const revoked = await call(any(), 'DELETE', `/personal_access_tokens/${made.body.id}`);
        if (revoked?.status === 204) await expectAll(token, 401);
      }
      await sleep(400);
    }
  };
  const expectAll = async (token: string, status: number) => {
    const ask = async (_: unknown, gateway: number) => {
      const answer = await call(gateway, 'GET', '/user', { token });
      if (answer && answer.status !== status)
        run.stale.push(`gateway ${gateway}: ${answer.status} in place of ${status} for a token`);
    };
    await Promise.all(Array.from({ length: count }, ask));
  };
  const working = [...issues.map(writer), signing()];
  for (let gateway = 0; gateway < count; gateway += 1) working.push(reader(gateway), reader(gateway));
  return Object.assign(run, {
    async stop() {
      ending.abort();
      await Promise.all(working);
    },
  });
}

/** Each takes a gateway away, and gives it back. */
const disturbances: Record<string, (gateway: number) => Promise<void>> = {
  async paused(gateway) {
    const { child } = gateways[gateway]!;
    child.kill('SIGSTOP');
    await sleep(DISTURBED_MS);
    child.kill('SIGCONT');
  },
  async killed(gateway) {
    await gateways[gateway]!.stop('SIGKILL');
    await sleep(DISTURBED_MS / 2);
    await startGateway(gateway);
  },
  async 'cut off from the log'(gateway) {
    await proxies[gateway]!.set({ kind: 'black-hole' });
    await sleep(DISTURBED_MS);
    await proxies[gateway]!.set({ kind: 'pass' });
  },
};

test.each([2, 3])(
  'with %i gateways, each in turn paused, killed and cut off, no read is stale',
  async (count) => {
    const run = await use(count);
    const goOn = async (what: string, gateway: number) => {
      run.answers.fill(0);
      const { writes } = run;
      await eventually(`writes go on, and all gateways answer after ${gateway} was ${what}`, () => run, {
        until: () => run.writes > writes + 20 && Math.min(...run.answers) > 20,
      });
    };
    let gateway = 0;
    for (const [what, disturb] of Object.entries(disturbances)) {
      gateway = (gateway + 1) % count;
      run.answers.fill(0);
      const { writes } = run;
      await disturb(gateway);
      // Meanwhile the others wrote and read: who is away holds nobody up for long.
      expect(run.writes, what).toBeGreaterThan(writes);
      for (const [at, answers] of run.answers.entries())
        if (at !== gateway) expect(answers, what).toBeGreaterThan(0);
      await eventually(`${gateway} is ready`, () => probe(addressOf(gateway), 'readiness'), {
        until: (status) => status === 200,
      });
      await goOn(what, gateway);
      expect(run.stale, what).toEqual([]);
    }
    await run.stop();
    expect(run.stale).toEqual([]);
  },
);
