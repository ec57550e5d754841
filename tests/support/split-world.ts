import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import { childrenOf, isRunning } from '@forgelog/git/testing/processes.ts';
import { onTestFinished } from 'vitest';
import { freePorts } from '../../infra/local/free-ports.ts';
import { eventually } from './eventually.ts';
import { scrape } from './metrics.ts';
import { ROOT_TOKEN } from './mixed-load.ts';
import { probe } from './probes.ts';
import { PROGRAM_ENVIRONMENT, READY_MS } from './server-process.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export const SERVICES = ['repo', 'tracker', 'ci', 'admin', 'gateway'] as const;
export type PartName = ServiceName | 'log';

/** A process of the system: a service, or the log's server. */
export interface Part {
  name: PartName;
  child: ChildProcess;
  output(): string;
  /** True once it said that it is ready; false when it ended instead, or said nothing in time. */
  ready: Promise<boolean>;
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
}

/** The five services and the log's server as processes that the test starts, kills and starts again. */
export interface SplitWorld {
  /** The gateway's address. */
  url: string;
  dataDir: string;
  /** An empty folder outside of it. */
  folder: string;
  /** The log's server without the proxy in front of it. */
  logUrl: string;
  /** MongoDB without what stands in front of it, where the read models are there. */
  mongodbUrl: string | undefined;
  /** Between the services and the log's server. */
  logProxy: TcpProxy;
  parts: ReadonlyMap<PartName, Part>;
  addressOf(service: ServiceName): string;
  /** @throws Error with what a part said, where it has ended */
  expectAlive(name: PartName): void;
  /** Starts a part and does not wait for it. */
  spawn(name: PartName): Part;
  /** Starts parts at once and waits until they are ready. @throws Error with what one said that ended instead */
  start(...names: PartName[]): Promise<void>;
  /** Ends a part with a signal, and waits; gives how it ended. What it leaves behind of its children is waited for. */
  end(name: PartName, signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  /** Resolves when each service answers probes, ready or not. */
  answering(): Promise<void>;
  /** Resolves when every service is ready, nothing is halted or failing, and nothing lags, all by itself. */
  healed(): Promise<void>;
  /** Ends all services as an operator does, then the log. Gives what was not as it must be. */
  stop(): Promise<string[]>;
}

const root = resolve(import.meta.dirname, '../..');
const scripts: Record<PartName, string> = {
  log: 'packages/eventing/src/adapters/eventstoredb/testing/server/main.ts',
  repo: 'services/repo/src/main.ts',
  tracker: 'services/tracker/src/main.ts',
  ci: 'services/ci/src/main.ts',
  admin: 'services/admin/src/main.ts',
  gateway: 'services/gateway/src/main.ts',
};
const PROBED = [
  'forgelog_projection_lag_seconds',
  'forgelog_policy_lag_seconds',
  'forgelog_feed_lag_seconds',
];
const NONE = ['forgelog_projection_halted', 'forgelog_policy_failed_attempts'];

/** Shorter than by default, so that a test sees in seconds what an operator sees in a minute. */
const DEADLINES = 'defaultDeadline=1000&keepAliveInterval=1000&keepAliveTimeout=1000';

/** One for a test; its processes and files go with it. Nothing is started but the proxy. */
export async function splitWorld(
  options: {
    environment?: Record<string, string>;
    mongodbUrl?: string;
    /** Leaves the log's deadlines as they are by default, where the log is not what has a bad day. */
    isLogPatient?: boolean;
  } = {},
): Promise<SplitWorld> {
  const top = await mkdtemp(join(tmpdir(), 'forgelog-bad-days-'));
  const [dataDir, folder] = [join(top, 'data'), join(top, 'beside')];
  await mkdir(folder);
  const ports = await freePorts(7);
  const portOf = (name: PartName) => ports[[...SERVICES, 'log'].indexOf(name)]!;
  const addressOf = (name: PartName) => `http://127.0.0.1:${portOf(name)}`;
  const logProxy = await startTcpProxy({ port: portOf('log') }, ports[6]);
  const parts = new Map<PartName, Part>();
  const all: Part[] = [];
  onTestFinished(async () => {
    await logProxy.close();
    for (const { child, ended } of all) {
      for (const { pid } of childrenOf(child.pid!)) kill(pid);
      child.kill('SIGKILL');
      await ended;
    }
    // A load that goes on may still write there.
    await rm(top, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });

  function environmentOf(name: PartName): Record<string, string | undefined> {
    const own = { ...PROGRAM_ENVIRONMENT, PORT: String(portOf(name)), HOST: '127.0.0.1' };
    if (name === 'log') return { ...own, DATA_DIR: join(dataDir, 'eventstore') };
    return {
      ...own,
      DATA_DIR: dataDir,
      LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'fatal',
      ROOT_TOKEN,
      SECRET_KEY: 'the secret key of the tests, long enough',
      EXTERNAL_URL: addressOf('gateway'),
      REPO_URL: addressOf('repo'),
      TRACKER_URL: addressOf('tracker'),
      CI_URL: addressOf('ci'),
      ADMIN_URL: addressOf('admin'),
      EVENTSTORE_URL: `esdb://127.0.0.1:${logProxy.port}?tls=false${options.isLogPatient ? '' : `&${DEADLINES}`}`,
      ...options.environment,
    };
  }

  function start(name: PartName): Part {
    const child = spawn(process.execPath, [join(root, scripts[name])], {
      env: environmentOf(name),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const ended = once(child, 'close').then(([code, signal]) => (signal ?? code) as number | NodeJS.Signals);
    const ready = new Promise<boolean>((done) => {
      for (const stream of [child.stdout!, child.stderr!]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text;
          if (/ is ready on |^esdb:/m.test(output)) done(true);
        });
      }
      void ended.then(() => done(false));
      setTimeout(() => done(false), READY_MS).unref();
    });
    const part = { name, child, output: () => output, ready, ended };
    parts.set(name, part);
    all.push(part);
    return part;
  }

  async function end(name: PartName, signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
    const { child, ended } = parts.get(name)!;
    const children = childrenOf(child.pid!).map(({ pid }) => pid);
    child.kill(signal);
    const how = await ended;
    await eventually(`the children of ${name} end`, () => children.filter(isRunning), {
      until: (left) => left.length === 0,
    });
    return how;
  }

  /** @throws Error where a service has ended, by itself or by whoever: nothing that it should do comes any more */
  function expectAlive(name: PartName): void {
    const { child, output } = parts.get(name)!;
    const how = child.signalCode ?? child.exitCode;
    if (how !== null) throw new Error(`${name} ended with ${how}: ${output()}`);
  }

  /** What is not yet as it is on a good day. */
  async function complaint(service: ServiceName): Promise<string | undefined> {
    const address = addressOf(service);
    const status = await probe(address, 'readiness');
    if (status !== 200) return `readiness ${status}`;
    const { samples } = await scrape(address);
    const lagging = samples.find(({ name, value }) => PROBED.includes(name) && value !== 0);
    if (lagging) return `${lagging.name} ${JSON.stringify(lagging.labels)} ${lagging.value}`;
    if (!samples.some(({ name }) => name === PROBED[0])) return 'no figures of lag';
    const failing = samples.find(({ name, value }) => NONE.includes(name) && value !== 0);
    return failing && `${failing.name} ${JSON.stringify(failing.labels)} ${failing.value}`;
  }

  return {
    url: addressOf('gateway'),
    dataDir,
    folder,
    logUrl: `esdb://127.0.0.1:${portOf('log')}?tls=false`,
    mongodbUrl: options.mongodbUrl,
    logProxy,
    parts,
    addressOf,
    expectAlive,
    spawn: start,
    async start(...names) {
      const begun = names.map(start);
      for (const part of begun)
        if (!(await part.ready)) throw new Error(`${part.name} did not start: ${part.output()}`);
    },
    end,
    async answering() {
      for (const service of SERVICES)
        await eventually(`${service} answers`, () => {
          expectAlive(service);
          return probe(addressOf(service), 'liveness');
        });
    },
    async healed() {
      for (const service of SERVICES)
        await eventually(
          `nothing is wrong with ${service}`,
          () => {
            expectAlive(service);
            return complaint(service).catch((error: Error) => error.message);
          },
          { until: (wrong) => wrong === undefined, everyMs: 50, detail: parts.get(service)!.output },
        );
    },
    async stop() {
      const wrong: string[] = [];
      const codes = await Promise.all(SERVICES.map((name) => end(name, 'SIGTERM')));
      for (const [at, code] of codes.entries())
        if (code !== 0)
          wrong.push(`${SERVICES[at]} ended with ${code}: ${parts.get(SERVICES[at]!)!.output()}`);
      return wrong;
    },
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
