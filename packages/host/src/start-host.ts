import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { boundedEventStore } from '@forgelog/eventing/bounded-event-store.ts';
import { endingReadStore } from '@forgelog/eventing/ending-read-store.ts';
import type { Projectors } from '@forgelog/eventing/projector.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import { DEADLINES } from '@forgelog/service-kit/deadlines.ts';
import { createDiskRoom } from '@forgelog/service-kit/disk-room.ts';
import { serveHealth } from '@forgelog/service-kit/health.ts';
import { addDiskMetrics } from '@forgelog/service-kit/telemetry/disk-metrics.ts';
import { serveMetrics } from '@forgelog/service-kit/telemetry/metrics-page.ts';
import { observedEventStore } from '@forgelog/service-kit/telemetry/observed-event-store.ts';
import { openTelemetry } from '@forgelog/service-kit/telemetry/telemetry.ts';
import { unavailable } from '@forgelog/service-kit/unavailable.ts';
import { limitAnswers } from './answer-deadline.ts';
import { addBackupMetrics } from './backup-state.ts';
import { requireDataFolder } from './data-folder.ts';
import { refuseWhenFull } from './disk-guard.ts';
import { createFollowers } from './followers.ts';
import type { HostOptions, RunningHost } from './host-options.ts';
import { createHostParts, type HostParts, type HostPartsOptions, type HostStores } from './host-parts.ts';
import type { KafkaRelays } from './kafka-relay.ts';
import { DRAIN_MS, drain, endWithAnswers, HTTP, listen, refuseBroken } from './listener.ts';
import { retryUntilReachable } from './retry-until-reachable.ts';
import { type Stage, startStages } from './stages.ts';

/** A push may take an hour; Node's default limit is five minutes. */
const LONGEST_REQUEST_MS = 3_600_000;
/** Writers wait longer than readers: a refusal would not say whether the change was made. */
const VISIBLE_WITHIN_MS = 15_000;
const POLICIES_STOP_MS = 2_500;

/** Serves probes at once, requests when all stages are ready. @throws a stage's error, with nothing left open */
export async function startHost<C extends Configuration>(options: HostOptions<C>): Promise<RunningHost> {
  const { configuration, log, signal, revision = 'unknown' } = options;
  const { clock = () => new Date(), deadlines = DEADLINES, edge } = options;
  const delayMs = configuration.STOP_DELAY_SECONDS * 1_000;
  await requireDataFolder(configuration.DATA_DIR);
  const telemetry = await openTelemetry({ configuration, serviceName: options.name, revision, log });
  addBackupMetrics(telemetry.metrics, { dataDir: configuration.DATA_DIR, clock });
  const reachable = <T>(step: () => Promise<T>) =>
    options.storesMayBeAway ? retryUntilReachable(step, { log, signal }) : step();

  let phase: 'starting' | 'ready' | 'stopping' = 'starting';
  let address = '';
  let externalUrl = '';
  let madeToken: string | null = null;
  let stores: HostStores | undefined;
  let parts: HostParts | undefined;
  let projectors: Projectors | undefined;
  let relays: KafkaRelays | undefined;
  let services: { stop(): Promise<void> } | undefined;
  let hasStarted = false;

  const disk = createDiskRoom({
    folder: configuration.DATA_DIR,
    changed: (state) =>
      state.isFull
        ? log.error(state, 'the disk of DATA_DIR is full; writes are refused until it has room')
        : log.info(state, 'the disk of DATA_DIR has room again'),
  });
  addDiskMetrics(telemetry.metrics, {
    disk,
    dataDir: options.storesInDataDir ? configuration.DATA_DIR : undefined,
  });
  const probes = serveHealth({
    phase: () => phase,
    projections: () => projectors?.status() ?? [],
    progress: () => projectors?.progress() ?? null,
    disk: disk.look,
    problems: options.problems,
  });
  const figures = serveMetrics({ metrics: telemetry.metrics, configuration });
  const pages: HostPartsOptions<C>['pages'] = (...asked) =>
    probes(...asked) || figures(...asked) || options.page?.(...asked) === true;
  const turnAway = (response: ServerResponse) => {
    // Its body is not read.
    response.shouldKeepAlive = false;
    edge.notReady(response, unavailable('starting', 1));
  };
  let handle: RequestListener = (request, response) => {
    if (!pages(request, response, request.url!.split('?')[0]!)) turnAway(response);
  };
  const server = createServer(
    { ...HTTP, requestTimeout: LONGEST_REQUEST_MS, ...edge.server },
    (request, response) => handle(request, response),
  );
  refuseBroken(server);
  server.on('checkContinue', (request, response) => {
    if (phase !== 'starting') response.writeContinue();
    server.emit('request', request, response);
  });

  async function openStores(): Promise<void> {
    const opened = await reachable(options.openStores);
    const bounded = boundedEventStore(opened.store, deadlines.logMs);
    const guarded = options.storesInDataDir ? refuseWhenFull(bounded, disk) : bounded;
    const store = observedEventStore(guarded, telemetry);
    stores = { ...opened, store, readStore: endingReadStore(opened.readStore, log) };
  }

  async function assemble(opened: HostStores): Promise<void> {
    const { position, caughtUp, barrier } = readModels(() => projectors!);
    parts = createHostParts({
      ...options,
      ...opened,
      ...{ clock, telemetry, externalUrl, revision, pages, position, caughtUp, barrier },
    });
    await reachable(async () => options.checkStores?.(opened, parts!));
    ({ projectors, relays } = await createFollowers({ ...options, ...opened, clock, telemetry, parts }));
  }

  async function prepare(): Promise<void> {
    if (options.isFirstReplica === false) return;
    for (const definition of options.services) {
      const prepared = await reachable(async () => definition.prepare?.(parts!.ports));
      madeToken ??= prepared?.madeToken ?? null;
    }
  }

  // A start that waits for its read models stops them when it is aborted; later, requests wait for them.
  const stopProjectors = () => void projectors?.stop();
  const stopRelays = () => Promise.all([relays?.log?.stop(), relays?.access?.stop()]);
  const stages: Stage[] = [
    { name: 'telemetry', stop: () => telemetry.close?.() },
    ...(options.resources ?? []),
    {
      name: 'listener',
      async start() {
        address = await listen(server, configuration);
        externalUrl = configuration.EXTERNAL_URL ?? address;
        limitAnswers(server, { answerMs: deadlines.answerMs, log, refuse: edge.refuse });
      },
      stop: () => drain(server),
      stopMs: DRAIN_MS + deadlines.stopMs,
    },
    { name: 'event store', start: openStores, stop: () => stores?.store.close() },
    { name: 'access log', stop: () => stores?.accessLog?.close() },
    { name: 'read store', stop: () => stores?.readStore.close() },
    { name: 'registers', stop: () => stores?.registers?.close() },
    { name: 'parts', start: () => assemble(stores!), stop: stopRelays },
    // From here on a stop covers services and projectors, even if their own start is never reached.
    { name: 'projectors', stop: () => projectors!.stop() },
    {
      name: 'services',
      async start() {
        const stops = parts!.services.map(
          (service): Stage => ({ name: service.name, stop: async () => service.stop?.() }),
        );
        services = await startStages(stops, { stopMs: deadlines.stopMs, log });
      },
      stop: () => services?.stop(),
      stopMs: (options.services.length + 1) * deadlines.stopMs,
    },
    {
      name: 'read models',
      start: () =>
        options.beforeProjecting?.({ ...stores!, projections: parts!.projections, projectors: projectors! }),
    },
    {
      name: 'policies',
      start() {
        signal?.addEventListener('abort', stopProjectors);
        return reachable(projectors!.start);
      },
      // Stop policies before the services they call. After a failed start they may wait for one of these: skip.
      stop() {
        signal?.removeEventListener('abort', stopProjectors);
        const ended = projectors!.stop();
        return hasStarted
          ? Promise.race([ended, sleep(POLICIES_STOP_MS, undefined, { ref: false })])
          : undefined;
      },
    },
    { name: 'preparation', start: prepare },
    {
      name: 'start of the services',
      async start() {
        for (const service of parts!.services) await service.start?.();
        hasStarted = true;
      },
    },
    {
      name: 'requests',
      async start() {
        signal?.removeEventListener('abort', stopProjectors);
        handle = parts!.handler();
        phase = 'ready';
        relays?.log?.start();
        relays?.access?.start();
      },
      // Events of requests in flight are published by the next lease holder.
      async stop() {
        endWithAnswers(server);
        await sleep(delayMs);
        for (const service of parts!.services) service.drain?.();
        await Promise.all([drain(server, edge), stopRelays()]);
      },
      stopMs: delayMs + DRAIN_MS + deadlines.stopMs,
    },
  ];
  const running = await startStages(stages, { stopMs: deadlines.stopMs, log, signal });
  const { ports, projections } = parts!;
  return {
    ...{
      address,
      externalUrl,
      madeToken,
      ports,
      projections,
      relay: relays?.log,
      accessRelay: relays?.access,
    },
    store: stores!.store,
    accessLog: stores!.accessLog,
    projectors: projectors!,
    services: parts!.services,
    stop() {
      phase = 'stopping';
      return running.stop();
    },
  };
}

function readModels(projectors: () => Projectors) {
  return {
    position: () => projectors().position(),
    caughtUp: (position: string, { afterAppend } = { afterAppend: false }) =>
      projectors().caughtUp(position, afterAppend ? { timeoutMs: VISIBLE_WITHIN_MS } : {}),
    barrier: () => projectors().barrier(),
  };
}
