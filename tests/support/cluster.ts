import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adminService } from '@forgelog/admin/main.ts';
import { ciService } from '@forgelog/ci/main.ts';
import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import { openEventStoreDbEventStore } from '@forgelog/eventing/adapters/eventstoredb/eventstoredb-event-store.ts';
import { startEventStoreServer } from '@forgelog/eventing/adapters/eventstoredb/testing/server/server.ts';
import { openMemoryEventStore } from '@forgelog/eventing/adapters/memory/memory-event-store.ts';
import { openMemoryReadStore } from '@forgelog/eventing/adapters/memory/memory-read-store.ts';
import { openMemoryRegisters } from '@forgelog/eventing/adapters/memory/memory-registers.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import { ownDatabases } from '@forgelog/eventing/testing/mongodb-databases.ts';
import { startGatewayHost } from '@forgelog/gateway/gateway-host.ts';
import type { RunningHost } from '@forgelog/host/host-options.ts';
import type { HostStores, ServiceDefinition } from '@forgelog/host/host-parts.ts';
import type { OpenFeed } from '@forgelog/host/kafka-relay.ts';
import { type SplitHostOptions, startServiceHost } from '@forgelog/host/service-host.ts';
import { readSplitConfiguration, type SplitConfiguration } from '@forgelog/host/split-configuration.ts';
import { openSplitStores } from '@forgelog/host/split-stores.ts';
import { openAccessLog } from '@forgelog/infra/embedded-stores.ts';
import { repoService } from '@forgelog/repo/main.ts';
import { DEADLINES, type Deadlines } from '@forgelog/service-kit/deadlines.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { trackerService } from '@forgelog/tracker/main.ts';
import { type Balancer, balance, holdPort } from './balancer.ts';
import { type Calls, callsTo, holdAgainstContract, ROOT_TOKEN } from './calls.ts';
import { TOKEN_USE_MINUTES } from './server-process.ts';

export const SECRET_KEY = 'the secret key of the tests, long enough';

/** All services apart: each with its own port, read models and caches, on one log; spoken to through the gateway. */
export interface Cluster extends Calls {
  url: string;
  dataDir: string;
  store: EventStore;
  /** The replicas of each service. */
  replicas: Record<ServiceName, RunningHost[]>;
  /** In front of each service that has several. */
  balancers: readonly Balancer[];
  /** Where the instance of repo for a storage keeps its repositories. */
  folderOf(storage: string): string;
  /** Starts the instance for a storage again, after it was stopped and taken out of `replicas`. */
  startStorage(storage: string): Promise<RunningHost>;
  /** Starts one more of a service, which no calls go to. */
  startReplica(name: 'tracker' | 'ci' | 'admin'): Promise<RunningHost>;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** Names of storages, each with an instance of repo; `default` alone unless told otherwise. */
  storages?: readonly string[];
  /** The gateway finds a storage that is started again, at a door that stays open while it is down. */
  storagesReturn?: boolean;
  /** How many of each; one unless told otherwise. Calls go through the first gateway. */
  replicas?: Partial<Record<Exclude<ServiceName, 'repo'>, number>>;
  /** What a process sees of the log, for tests that slow it down or cut it off. */
  logOf?: (store: EventStore, process: string) => EventStore;
  /** The other stores of a process, for the same. */
  storesOf?: (stores: HostStores, process: string) => HostStores | Promise<HostStores>;
  deadlines?: Deadlines;
  /** What stands in front of a service. */
  addressOf?: (service: ServiceName, url: string) => Promise<string>;
  environment?: Record<string, string>;
  clock?: () => Date;
  /** What a process feeds in place of Kafka, where KAFKA_BROKERS is set. */
  feedOf?: (process: string) => OpenFeed;
  /** Kept when the cluster stops; a new one that is removed then by default. */
  dataDir?: string;
}

const definitions = { admin: adminService, tracker: trackerService, ci: ciService };

interface SharedStores {
  /** The test's own view of the log. */
  store: EventStore;
  openFor(configuration: SplitConfiguration, service: ServiceName): Promise<HostStores>;
  close(): Promise<void>;
}

/**
 * In memory; with TEST_STORES=eventstoredb a development server that each process connects to, and read models in
 * SQLite files, or in MongoDB where MONGODB_URL names one, in databases that are dropped in the end. The server is the
 * test's own, also where EVENTSTORE_URL names one: every test begins with an empty log, and a server has one log.
 */
async function openSharedStores(dataDir: string): Promise<SharedStores> {
  if (process.env.TEST_STORES !== 'eventstoredb') {
    const store = openMemoryEventStore();
    const registers = openMemoryRegisters();
    return {
      store,
      openFor: async (configuration, service) => ({
        store: { ...store, close: async () => {} },
        accessLog: service === 'gateway' ? openAccessLog(configuration) : undefined,
        readStore: openMemoryReadStore(),
        registers: { ...registers, close: async () => {} },
      }),
      close: () => store.close(),
    };
  }
  const server = await startEventStoreServer({ path: join(dataDir, 'eventstore.db') });
  const store = openEventStoreDbEventStore({ url: server.url });
  const databases = process.env.MONGODB_URL ? ownDatabases(process.env.MONGODB_URL) : undefined;
  const registers = openMemoryRegisters();
  return {
    store,
    async openFor(configuration, service) {
      const given = { ...configuration, EVENTSTORE_URL: server.url, MONGODB_URL: databases?.url };
      const opened = await openSplitStores(given, service);
      return { registers: { ...registers, close: async () => {} }, ...opened };
    },
    async close() {
      await store.close();
      await server.stop();
      await databases?.drop();
    },
  };
}

/** Several processes within this one: nothing is shared but the log and the registers, and all calls go over HTTP. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'forgelog-split-')));
  const shared = await openSharedStores(dataDir);
  const { store } = shared;
  const broken: string[] = [];
  const balancers: Balancer[] = [];
  const log = createLogger({ LOG_LEVEL: process.env.TEST_LOG_LEVEL === 'error' ? 'error' : 'silent' });
  const replicas: Cluster['replicas'] = { gateway: [], repo: [], tracker: [], ci: [], admin: [] };
  // The services name the gateway's address before there is a gateway.
  const { port, release } = await holdPort();
  const addresses: Record<string, string> = {};
  // Services that start later are asked by those that start before them.
  const later = { admin: [] as string[], tracker: [] as string[], ci: [] as string[] };
  const doors: Balancer[] = [];
  for (const [name, urls] of Object.entries(later)) {
    const door = await balance(urls);
    doors.push(door);
    addresses[`${name.toUpperCase()}_URL`] = door.url;
  }
  const { storages = ['default'] } = options;
  const instances = new Map(storages.map((storage) => [storage, [] as string[]]));
  const storageDoors = new Map<string, Balancer>();
  for (const [storage, urls] of instances) storageDoors.set(storage, await balance(urls));
  const folderOf = (storage: string) => (storage === 'default' ? dataDir : join(dataDir, storage));

  function optionsOf(service: ServiceName, replica: number): SplitHostOptions {
    const configuration = readSplitConfiguration(service, {
      PORT: service === 'gateway' && replica === 0 ? String(port) : '0',
      EXTERNAL_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: service === 'repo' ? folderOf(storages[replica]!) : join(dataDir, `${service}-${replica}`),
      ...(service === 'repo' ? { STORAGE: storages[replica] } : { REPLICA: String(replica) }),
      SECRET_KEY,
      ROOT_TOKEN,
      CI_LONG_POLL_SECONDS: '0',
      TOKEN_USE_MINUTES,
      ...addresses,
      ...options.environment,
    });
    return {
      configuration,
      log,
      clock: options.clock,
      // Nobody waits long for what a test takes away.
      deadlines: options.deadlines ?? { ...DEADLINES, restartMs: 300 },
      openFeed: options.feedOf?.(`${service}-${replica}`),
      async openStores(own) {
        const process = `${service}-${replica}`;
        const opened = await shared.openFor(own, service);
        const stores = { ...opened, store: options.logOf?.(opened.store, process) ?? opened.store };
        return options.storesOf?.(stores, process) ?? stores;
      },
      observe: (endpoint, status, body) => {
        const problem = holdAgainstContract(endpoint, status, body);
        if (problem) broken.push(problem);
      },
    };
  }

  async function start(definition: ServiceDefinition<SplitConfiguration>): Promise<void> {
    const { name } = definition;
    if (name === 'repo') return startRepo();
    const count = options.replicas?.[name] ?? 1;
    const started = await Promise.all(
      Array.from({ length: count }, (_, at) => startServiceHost(definition, optionsOf(name, at))),
    );
    replicas[name] = started;
    later[name as keyof typeof later].push(...started.map(({ address }) => address));
    let url = started[0]!.address;
    if (count > 1) {
      const balancer = await balance(started.map(({ address }) => address));
      balancers.push(balancer);
      ({ url } = balancer);
    }
    addresses[`${name.toUpperCase()}_URL`] = (await options.addressOf?.(name, url)) ?? url;
  }

  async function startStorage(storage: string): Promise<RunningHost> {
    const started = await startServiceHost(repoService, optionsOf('repo', storages.indexOf(storage)));
    replicas.repo.push(started);
    instances.get(storage)!.splice(0, 1, started.address);
    return started;
  }

  /** An instance for each storage, which finds the others at doors that are there before them. */
  async function startRepo(): Promise<void> {
    addresses.REPO_URL = storages.map((storage) => `${storage}=${storageDoors.get(storage)!.url}`).join(',');
    for (const storage of storages) await startStorage(storage);
    const urls = await Promise.all(
      replicas.repo.map(async ({ address }, at) => {
        if (options.storagesReturn) return storageDoors.get(storages[at]!)!.url;
        return (await options.addressOf?.('repo', address)) ?? address;
      }),
    );
    addresses.REPO_URL = storages.map((storage, at) => `${storage}=${urls[at]}`).join(',');
  }

  await start(repoService);
  for (const definition of Object.values(definitions)) await start(definition);
  await release();
  for (let at = 0; at < (options.replicas?.gateway ?? 1); at += 1)
    replicas.gateway.push(await startGatewayHost(optionsOf('gateway', at)));
  const gateway = replicas.gateway[0]!;
  return {
    ...callsTo(gateway.address, broken),
    url: gateway.address,
    dataDir,
    store,
    replicas,
    balancers,
    folderOf: (storage) => join(folderOf(storage), 'repositories'),
    startStorage,
    async startReplica(name) {
      const options = optionsOf(name, replicas[name].length);
      const started = await startServiceHost(definitions[name], options);
      replicas[name].push(started);
      return started;
    },
    async stop() {
      await Promise.all(replicas.gateway.map((replica) => replica.stop()));
      for (const balancer of [...balancers, ...doors, ...storageDoors.values()]) await balancer.close();
      for (const name of ['admin', 'ci', 'tracker', 'repo'] as const)
        await Promise.all(replicas[name].map((replica) => replica.stop()));
      await shared.close();
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true });
      if (broken.length > 0) throw new Error(broken.join('\n'));
    },
  };
}
