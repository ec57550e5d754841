import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import type { OpenFeed } from '@forgelog/host/kafka-relay.ts';
import type { OpenStores } from '@forgelog/infra/embedded-stores.ts';
import { type System, startSystem } from '@forgelog/infra/system.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import type { Deadlines } from '@forgelog/service-kit/deadlines.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { onTestFinished } from 'vitest';
import { type Calls, callsTo, holdAgainstContract, ROOT_TOKEN } from './calls.ts';
import { startCluster } from './cluster.ts';
import { TOKEN_USE_MINUTES } from './server-process.ts';
import { storesUnderTest } from './stores.ts';

export type { CallOptions, Calls } from './calls.ts';

/** A whole Forgelog on its own data folder and port. */
export interface Forgelog extends Calls {
  url: string;
  rootToken: string;
  system: System;
  /** What the slices of a service are made of. Where services run apart, `system.ports` are those of admin. */
  portsOf(service: InnerService): System['ports'];
  dataDir: string;
  stop(): Promise<void>;
}

type InnerService = Exclude<ServiceName, 'gateway'>;

/** Starts one for a test file or a test; every answer that it gives is held against its contract. */
export async function startForgelog(
  options: {
    environment?: Record<string, string>;
    dataDir?: string;
    clock?: () => Date;
    openFeed?: OpenFeed;
    deadlines?: Deadlines;
    openStores?: OpenStores;
  } = {},
): Promise<Forgelog> {
  // TEST_PROCESSES=split puts the whole suite on services that run apart.
  if (process.env.TEST_PROCESSES === 'split') return startApart(options);
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'forgelog-test-')));
  const broken: string[] = [];
  const configuration = readConfiguration({
    PORT: '0',
    DATA_DIR: dataDir,
    ROOT_TOKEN,
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    // Requests of runners without a job are answered at once.
    CI_LONG_POLL_SECONDS: '0',
    TOKEN_USE_MINUTES,
    ...options.environment,
  });
  // A file's variables live as long as its worker, and a stopped system must not.
  let running: System | undefined = await startSystem({
    configuration,
    log: createLogger(configuration),
    openStores: options.openStores ?? storesUnderTest,
    deadlines: options.deadlines,
    clock: options.clock,
    openFeed: options.openFeed,
    observe: (endpoint, status, body) => {
      const problem = holdAgainstContract(endpoint, status, body);
      if (problem) broken.push(problem);
    },
  });
  const live = (): System => {
    if (!running) throw new Error('this Forgelog is stopped');
    return running;
  };
  const url = running.address;
  return {
    url,
    rootToken: ROOT_TOKEN,
    get system() {
      return live();
    },
    portsOf: () => live().ports,
    dataDir,
    ...callsTo(url, broken),
    async stop() {
      const stopping = running;
      running = undefined;
      await stopping?.stop();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
      if (broken.length > 0) throw new Error(broken.join('\n'));
    },
  };
}

/** The same with each service by itself; of what tests see of the inside there is what every process has. */
async function startApart(options: Parameters<typeof startForgelog>[0] = {}): Promise<Forgelog> {
  const { openFeed, ...given } = options;
  const cluster = await startCluster({ ...given, feedOf: openFeed && (() => openFeed) });
  const { admin, repo, tracker, ci, gateway } = cluster.replicas;
  const processes = [...admin, ...repo, ...tracker, ...ci];
  const system = {
    address: cluster.url,
    externalUrl: cluster.url,
    store: cluster.store,
    accessLog: gateway[0]!.accessLog,
    accessRelay: gateway[0]!.accessRelay,
    ports: admin[0]!.ports,
    projectors: {
      ...admin[0]!.projectors,
      async policiesIdle() {
        let idle = true;
        // What one process appends may concern another that was asked before.
        // Policies of five processes take longer on real servers, whose machine is busy.
        for (const one of [...processes, ...processes])
          idle &&= await one.projectors.policiesIdle({ timeoutMs: 30_000 });
        return idle;
      },
    },
  } as Partial<System> as System;
  const { url, dataDir, stop } = cluster;
  const portsOf = (service: InnerService) => cluster.replicas[service][0]!.ports;
  return { ...cluster, url, dataDir, rootToken: ROOT_TOKEN, system, portsOf, stop };
}

/** One for a single test, stopped with it. */
export async function forgelogForTest(options?: Parameters<typeof startForgelog>[0]): Promise<Forgelog> {
  const forgelog = await startForgelog(options);
  onTestFinished(() => forgelog.stop());
  return forgelog;
}
