import { createHash } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { BEGINNING, type Position } from '@forgelog/eventing/event.ts';
import { readLogIdentity } from '@forgelog/eventing/log-identity.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import {
  type GivenCopy,
  isLasting,
  type ReadStoreCandidate,
  type ReadStoreCopies,
} from '@forgelog/eventing/read-store.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { ExchangeClaims } from '@forgelog/service-kit/split/exchange-token.ts';
import type { ServiceClient } from '@forgelog/service-kit/split/service-client.ts';
import { unavailable } from '@forgelog/service-kit/unavailable.ts';
import { z } from 'zod';
import { received, written } from './copied-bytes.ts';
import type { ProjectingHost } from './host-options.ts';
import { programVersion } from './program-version.ts';
import type { SplitConfiguration } from './split-configuration.ts';

/** Nothing comes, or is taken, for so long. */
const STALL_MS = 20_000;
const LONGEST_MS = 900_000;
/** Stays free beside a copy. */
const SPARE_BYTES = 256 * 1024 * 1024;

const description = z.object({
  /** The newest position in the copy, as published: a log that was restored, or another log, does not know it. */
  position: z.string(),
  bytes: z.int().min(1),
  /** Those of policies and feeds count where no register has leases. */
  checkpoints: z.record(z.string(), z.string()),
});

type Description = z.output<typeof description>;

export interface ReadModelCopies {
  /** Begins from a copy of another replica where nothing was read yet and one can be had. */
  begin(host: ProjectingHost): Promise<void>;
  /** @throws Rejection */
  give(claims: ExchangeClaims & { kind: 'read-models' }, response: ServerResponse): Promise<void>;
}

export interface ReadModelCopiesOptions {
  service: ServiceName;
  client: Pick<ServiceClient, 'call'>;
  configuration: SplitConfiguration;
  log: Logger;
  revision?: string | undefined;
  signal?: AbortSignal | undefined;
  stallMs?: number;
}

/** A new replica need not read the whole log: it begins from a copy of another's read models (ADR 136). */
export function createReadModelCopies(options: ReadModelCopiesOptions): ReadModelCopies {
  const { service, client, configuration, log, signal, stallMs = STALL_MS } = options;
  const release = `${programVersion()} ${options.revision ?? 'unknown'}`;
  const url = addressOf(service, configuration);
  let own: ProjectingHost | undefined;

  async function begin(host: ProjectingHost): Promise<void> {
    own = host;
    const { readStore } = host;
    if (!readStore.copies || url === undefined) return;
    for (const { name } of host.projections) if ((await readStore.checkpoint(name)) !== BEGINNING) return;
    const begun = performance.now();
    let taken: { copy: ReadStoreCandidate; bytes: number; position: Position } | undefined;
    try {
      taken = await take(host, readStore.copies, url);
    } catch (error) {
      if (!signal?.aborted)
        log.info(
          { reason: reasonOf(error) },
          'no copy of another replica; the event log is read from its beginning',
        );
    }
    if (!taken) return;
    // A failure from here on ends the start: the next one finds either store whole.
    await taken.copy.swap();
    const { bytes, position } = taken;
    const ms = Math.round(performance.now() - begun);
    log.info(
      { bytes, position, ms },
      'read models copied from another replica; the event log is read from there',
    );
  }

  async function take(host: ProjectingHost, copies: ReadStoreCopies, url: string) {
    const { store } = host;
    const identity = await readLogIdentity(store);
    if (!identity) return undefined;
    const until = AbortSignal.any([AbortSignal.timeout(LONGEST_MS), ...(signal ? [signal] : [])]);
    const claims = {
      kind: 'read-models' as const,
      release,
      shape: shapeOf(host.projections),
      position: BEGINNING,
    };
    const answer = await client.call({
      ...{ service, url, method: 'GET', target: '/', claims, signal: until },
      ...{ repeatable: true, waits: false },
    });
    try {
      const { line, bytes } = await received(answer, stallMs);
      const told = description.parse(JSON.parse(line));
      const place = identity.read(told.position, store);
      if (place.kind !== 'held') throw new Error(`its position is ${place.kind} in this log`);
      await requireRoom(told);
      const copy = await copies.take(bytes(told.bytes));
      try {
        await requireFitting(copy, told, host);
        await copy.write({ changes: [], checkpoints: new Map(Object.entries(told.checkpoints)) });
      } catch (error) {
        await copy.discard();
        throw error;
      }
      return { copy, bytes: told.bytes, position: place.position };
    } finally {
      answer.destroy();
    }
  }

  async function requireRoom({ bytes }: Description): Promise<void> {
    const { bavail, bsize } = await statfs(configuration.DATA_DIR);
    if (bytes > bavail * bsize - SPARE_BYTES)
      throw new Error(`the disk of DATA_DIR has no room for ${bytes} bytes`);
  }

  async function give(claims: ExchangeClaims & { kind: 'read-models' }, response: ServerResponse) {
    const { store, readStore, projections, projectors } = own!;
    if (claims.release !== release || claims.shape !== shapeOf(projections))
      throw unavailable(`the other replica is of another release (${release})`, null);
    if (!readStore.copies) throw unavailable('the read models of the other replica cannot be copied', null);
    const statuses = projectors.status();
    if (statuses.some(({ halted }) => halted))
      throw unavailable('a projection of the other replica is halted', null);
    const identity = await readLogIdentity(store);
    if (!identity) throw unavailable('the other replica has read nothing', null);
    const copy = await readStore.copies.give();
    try {
      const checkpoints = checkpointsOf(copy, statuses);
      const newest = Object.values(checkpoints).toSorted().at(-1) ?? BEGINNING;
      if (newest === BEGINNING) throw unavailable('the other replica has read nothing', null);
      const told: Description = { position: identity.publish(newest), bytes: copy.bytes, checkpoints };
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
      await send(told, copy, response);
    } finally {
      copy.end();
    }
  }

  async function send(told: Description, copy: GivenCopy, response: ServerResponse): Promise<void> {
    const stalled = new AbortController();
    const timer = setTimeout(() => stalled.abort(new Error(`nothing was taken for ${stallMs} ms`)), stallMs);
    const until = AbortSignal.any([stalled.signal, AbortSignal.timeout(LONGEST_MS)]);
    async function* watched() {
      for await (const chunk of written(JSON.stringify(told), copy)) {
        timer.refresh();
        yield chunk;
      }
    }
    try {
      await pipeline(watched(), response, { signal: until });
      log.info(
        { bytes: told.bytes, position: told.position },
        'gave another replica a copy of the read models',
      );
    } catch (error) {
      log.info({ reason: reasonOf(error) }, 'a copy of the read models broke off');
      response.destroy();
    } finally {
      clearTimeout(timer);
    }
  }

  return { begin, give };
}

/** Where the replicas of a service are found. repo has one instance a storage; gateways are not asked by services. */
function addressOf(service: ServiceName, urls: SplitConfiguration): string | undefined {
  const known: Partial<Record<ServiceName, string>> = {
    tracker: urls.TRACKER_URL,
    ci: urls.CI_URL,
    admin: urls.ADMIN_URL,
  };
  return known[service];
}

/** The stored checkpoint of a projection lags while it handles no event. */
function checkpointsOf(copy: GivenCopy, statuses: readonly { projection: string; position: Position }[]) {
  // The file may hold those of projections that there were in an earlier release.
  const found = new Map([...copy.checkpoints].filter(([name]) => isLasting(name)));
  for (const { projection, position } of statuses) {
    const [newest] = [position, copy.checkpoints.get(projection) ?? BEGINNING].toSorted().toReversed();
    if (newest !== BEGINNING) found.set(projection, newest!);
  }
  return Object.fromEntries(found);
}

/** @throws Error where the log would not be followed from this copy as from one of its own */
async function requireFitting(
  copy: ReadStoreCandidate,
  told: Description,
  host: ProjectingHost,
): Promise<void> {
  const { store, projections } = host;
  const head = await store.head();
  const names = new Set(projections.map(({ name }) => name));
  for (const [name, position] of Object.entries(told.checkpoints)) {
    if (!names.has(name) && !isLasting(name)) throw new Error(`nothing here is named ${name}`);
    if (!store.isPosition(position)) throw new Error(`${name} has no position of this log`);
    if (position > head) throw new Error(`${name} is ahead of the end of the log`);
    if (!isLasting(name) && (await copy.checkpoint(name)) > position)
      throw new Error(`${name} is further than was said`);
  }
  const { reset } = await copy.declare(projections.flatMap(({ collections }) => collections));
  if (reset.length > 0) throw new Error(`it has another ${reset.join(', ')}`);
}

/** What two programs must have in common to read the same read models. */
export function shapeOf(projections: readonly Projection[]): string {
  const told = projections.map(({ name, handles, collections }) => [
    name,
    handles.toSorted(),
    collections.map(({ nullable, ownedBy, holds, ...rest }) => [rest, [...nullable].toSorted()]),
  ]);
  return createHash('sha256').update(JSON.stringify(told)).digest('base64url');
}

function reasonOf(error: unknown): string {
  const { reason } = (error instanceof Rejection ? (error.details ?? {}) : {}) as { reason?: string };
  return reason ?? (error as Error).message;
}
