import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePorts } from '../../infra/local/free-ports.ts';
import { type Balancer, balanceReady } from '../support/balancer.ts';
import { eventually } from '../support/eventually.ts';
import { apiOf, createMixedLoad, type MixedLoad, ROOT_TOKEN } from '../support/mixed-load.ts';
import { probe } from '../support/probes.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { git } from '../support/stock-git.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

const root = resolve(import.meta.dirname, '../..');
const LOG = 'packages/eventing/src/adapters/eventstoredb/testing/server/main.ts';
const REPLICATED = ['admin', 'tracker', 'ci', 'gateway'] as const;
const NAMES = ['repo-0', ...REPLICATED.flatMap((service) => [`${service}-0`, `${service}-1`])];
/** Calls wait for 15 s: a machine that is slower than this shows nothing. */
const AWAY_MS = 13_000;
/** Longer than the balancer takes to notice. */
const STOP_DELAY_SECONDS = '1';

let folder: string;
let log: ServerProcess;
let url: string;
let load: MixedLoad;
const environments = new Map<string, Record<string, string>>();
const processes = new Map<string, ServerProcess>();
const balancers: Balancer[] = [];

const addressOf = (name: string) => `http://127.0.0.1:${environments.get(name)!.PORT}`;

async function start(name: string): Promise<void> {
  const program = join(root, `services/${name.split('-')[0]}/src/main.ts`);
  const started = startServerProcess(environments.get(name)!, { program, isReady: / is ready on (\S+)/ });
  processes.set(name, started);
  expect(await started.ready, `${name}: ${started.output()}`).toBeDefined();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forgelog-rolling-'));
  const dataDir = join(folder, 'data');
  log = startServerProcess(
    { DATA_DIR: join(dataDir, 'eventstore') },
    { program: join(root, LOG), isReady: /(esdb:\S+)/ },
  );
  const ports = await freePorts(NAMES.length);
  const addresses: Record<string, string> = { EVENTSTORE_URL: (await log.ready)! };
  const portOf = (name: string) => ports[NAMES.indexOf(name)]!;
  for (const service of REPLICATED) {
    const replicas = [0, 1].map((replica) => `http://127.0.0.1:${portOf(`${service}-${replica}`)}`);
    const balancer = await balanceReady(replicas);
    balancers.push(balancer);
    if (service === 'gateway') ({ url } = balancer);
    else addresses[`${service.toUpperCase()}_URL`] = balancer.url;
  }
  for (const name of NAMES)
    environments.set(name, {
      ...addresses,
      PORT: String(portOf(name)),
      REPLICA: name.split('-')[1]!,
      DATA_DIR: dataDir,
      REPO_URL: `http://127.0.0.1:${portOf('repo-0')}`,
      EXTERNAL_URL: url,
      ROOT_TOKEN,
      SECRET_KEY: 'the secret key of the tests, long enough',
      STOP_DELAY_SECONDS,
    });
  await Promise.all(NAMES.map(start));
  await eventually('somebody answers', () => probe(url, 'readiness'), { until: (status) => status === 200 });
  const beside = join(folder, 'beside');
  await mkdir(beside);
  load = await createMixedLoad(url, beside, { lasting: true });
});

afterAll(async () => {
  for (const balancer of balancers) await balancer.close();
  for (const running of [...processes.values(), log]) await running.stop('SIGKILL');
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

/** Reads what was acknowledged, again and again; adds what was not answered as it must be. */
async function readers(ending: AbortSignal, wrong: string[]): Promise<void> {
  const api = apiOf(url);
  const readings = [
    () => ({ list: load.kept.issues, path: `${load.at}/issues?per_page=5` }),
    () => ({
      list: load.kept.files,
      path: `${load.at}/repository/files/${load.kept.files.at(-1)}/raw?ref=main`,
    }),
    () => ({ list: load.kept.tags, path: `${load.at}/repository/tags/${load.kept.tags.at(-1)}` }),
    () => ({ list: [1], path: `${load.at}/pipelines` }),
    () => ({ list: [1], path: `${load.at}/members/all` }),
  ];
  const read = async () => {
    for (let turn = 0; !ending.aborted; turn++) {
      const { list, path } = readings[turn % readings.length]!();
      if (list.length > 0) {
        const said = await api('GET', path).then(
          ({ status, body }) => (status === 200 ? undefined : `${status} ${JSON.stringify(body)}`),
          (error: Error) => String(error.cause ?? error),
        );
        if (said !== undefined) wrong.push(`GET ${path}: ${said}`);
      }
      await sleep(5);
    }
  };
  const clone = async () => {
    const from = url.replace('://', `://root:${ROOT_TOKEN}@`).concat('/root/load.git');
    for (let turn = 0; !ending.aborted; turn++) {
      await git(folder, 'clone', '-q', '--bare', from, `clone-${turn}`).catch((error: Error) =>
        wrong.push(`clone: ${error.message}`),
      );
      await rm(join(folder, `clone-${turn}`), { recursive: true, force: true });
    }
  };
  await Promise.all([read(), read(), clone()]);
}

test('all processes restart one after another under load: nothing fails, and nothing is lost', async () => {
  const ending = new AbortController();
  let stop = () => {};
  const running = load.run(url, (_, end) => {
    stop = end;
    if (ending.signal.aborted) end();
  });
  const wrong: string[] = [];
  const reading = readers(ending.signal, wrong);
  const served = async (count: number) => {
    const enough = load.acknowledged() + count;
    await eventually('writes are acknowledged', load.acknowledged, {
      until: (done) => done >= enough,
      detail: () => [...load.surprises, ...load.told].slice(-5).join('\n'),
    });
  };
  for (const name of NAMES) {
    await served(10);
    const begun = performance.now();
    expect(await processes.get(name)!.stop(), `${name}: ${processes.get(name)!.output()}`).toBe(0);
    await start(name);
    await eventually(`${name} is ready`, () => probe(addressOf(name), 'readiness'), {
      until: (status) => status === 200,
    });
    const away = performance.now() - begun;
    // The balancer has seen it.
    await sleep(300);
    const failed = [...wrong.splice(0), ...load.told.splice(0)];
    if (name !== 'repo-0' || away < AWAY_MS) expect(failed, name).toEqual([]);
  }
  await served(10);
  ending.abort();
  stop();
  await running;
  await reading;
  expect([...wrong, ...load.told]).toEqual([]);
  expect(await load.check(url)).toEqual([]);
  for (const [name, { output }] of processes) expect(output(), name).not.toContain('"level":50');
});
