import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { DomainEvent, EventDefinition } from '@forgelog/contracts/event.ts';
import { subjectProblem } from '@forgelog/contracts/event-subject.ts';
import { events as allEvents } from '@forgelog/contracts/events.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import { createDirectory } from '@forgelog/directory/directory.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { openMemoryEventStore } from '@forgelog/eventing/adapters/memory/memory-event-store.ts';
import { openMemoryReadStore } from '@forgelog/eventing/adapters/memory/memory-read-store.ts';
import { createCommandHandler } from '@forgelog/eventing/command-handler.ts';
import { type Position, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { createCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { createHistory } from '@forgelog/eventing/history.ts';
import { createIdAllocator } from '@forgelog/eventing/id-allocator.ts';
import { createProjectors } from '@forgelog/eventing/projector.ts';
import { openMemoryObjectStore } from '@forgelog/object-store/adapters/memory-object-store.ts';
import { createRequestBodies } from '@forgelog/service-kit/bodies/request-bodies.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createCursors } from '@forgelog/service-kit/cursor.ts';
import { createDispatcher } from '@forgelog/service-kit/dispatcher.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { localOperations } from '@forgelog/service-kit/operations.ts';
import { createPlaceholderResolver } from '@forgelog/service-kit/placeholders.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { composeService, type Slice } from '@forgelog/service-kit/slice.ts';
import { createMetrics } from '@forgelog/service-kit/telemetry/metrics.ts';
import { type DispatchFunc, inject, type Response } from 'light-my-request';
import { onTestFinished } from 'vitest';
import type { StreamedEvent } from './sample-events.ts';

const HOST = 'http://forgelog.test';

/** What a call did. */
export interface Reply {
  status: number;
  /** Of JSON its value, of anything else a Buffer, null where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
  body: any;
  headers: Readonly<Record<string, unknown>>;
  /** Events that the call appended, in order; reserved ids aside. */
  events: DomainEvent[];
}

/** A body that is no JSON, and headers of its own. */
export interface RawRequest {
  headers?: Record<string, string>;
  payload?: string | Buffer;
}

export interface RunningSlices {
  /**
   * Calls an endpoint as a user, an administrator where they are one; null is anonymous.
   * @throws where the answer breaks its contract, or the handler fails
   */
  call(
    endpoint: AnyEndpoint,
    params: Record<string, unknown>,
    as?: number | null,
    sent?: RawRequest,
  ): Promise<Reply>;
  /** Appends what happens elsewhere meanwhile; projections have applied it then. */
  tell(event: StreamedEvent): Promise<void>;
  ports: ServicePorts;
}

interface SliceOptions {
  clock?: () => Date;
  /** Events of the test's own, besides those of the contracts. */
  events?: readonly EventDefinition[];
  /** Settings that differ from the defaults. */
  environment?: Readonly<Record<string, string>>;
}

/**
 * Slices on memory stores, with rights, parameters and answers as in production and without a socket. Ends with the
 * test. Policies and workers do not run.
 * @param given events that the log holds already
 */
export async function startSlices(
  slices: readonly Slice<ServicePorts>[],
  given: readonly StreamedEvent[] = [],
  { clock = () => new Date(), events = [], environment = {} }: SliceOptions = {},
): Promise<RunningSlices> {
  const store = openMemoryEventStore();
  const readStore = openMemoryReadStore();
  const catalogue = createCatalogue([...allEvents, ...events]);
  const configuration = readConfiguration({
    LOG_LEVEL: 'silent',
    SECRET_KEY: 'k'.repeat(32),
    ...environment,
  });
  const log = createLogger(configuration);
  const directory = createDirectory({ readStore, clock, externalUrl: HOST });
  const caughtUp = (position: Position) => projectors.caughtUp(position);
  const ports: ServicePorts = {
    readStore,
    commands: createCommandHandler({ store, catalogue, clock, newId: newEventId, caughtUp }),
    ids: createIdAllocator({ store, catalogue, clock }),
    history: createHistory({ store, catalogue }),
    directory,
    clock,
    configuration,
    host: HOST,
    log,
    // Of every service: what stands in for another one is a slice too.
    operations: localOperations(() => service.operations),
    objects: openMemoryObjectStore({ clock }),
    metrics: createMetrics(),
  };
  // Slices of any service: nothing here asks for the name.
  const service = composeService('ci', ports, slices);
  const projectors = createProjectors({
    store,
    readStore,
    catalogue,
    projections: [...directory.projections, ...service.projections],
    log,
  });
  const failures: unknown[] = [];
  const dispatch = createDispatcher({
    services: [service],
    authorizer: createAuthorizer(directory),
    resolver: createPlaceholderResolver([...directory.placeholders, ...(service.placeholders ?? [])]),
    externalUrl: HOST,
    cursors: createCursors(() => Buffer.alloc(32)),
    bodies: createRequestBodies({ folder: tmpdir() }),
    clock,
    onError(error) {
      // A refusal is an answer, which the test sees.
      if (!(error instanceof Rejection)) failures.push(error);
    },
  });

  async function append({ stream, event }: StreamedEvent): Promise<void> {
    const revision = (await store.readStream(stream)).at(-1)?.revision ?? 'no-stream';
    const definition = catalogue.get(event.type);
    await store.append(stream, revision, [
      {
        id: newEventId(),
        type: event.type,
        schemaVersion: definition.version,
        time: clock().toISOString(),
        data: catalogue.parse(event.type, event.data),
        metadata: SYSTEM_METADATA,
      },
    ]);
  }

  async function principalOf(userId: number | null): Promise<Principal | null> {
    if (userId === null) return null;
    const user = await directory.user(userId);
    if (!user) throw new Error(`no user ${userId}: give userCreated(${userId})`);
    return {
      userId,
      username: user.username,
      name: user.name,
      email: user.email!,
      isAdmin: user.admin === true,
      external: user.external === true,
      scopes: ['api'],
      credential: { kind: 'personal_access_token', id: 1 },
      onBehalfBy: null,
    };
  }

  for (const event of given) await append(event);
  await projectors.start();
  onTestFinished(() => projectors.stop());

  return {
    ports,
    async tell(event) {
      await append(event);
      await caughtUp(await store.head());
    },
    async call(endpoint, params, as = null, sent = {}) {
      const { pathParams, path, rest } = addressOf(endpoint, params);
      const principal = await principalOf(as);
      const before = await store.head();
      const inBody = ['POST', 'PUT', 'PATCH'].includes(endpoint.method) && endpoint.bodyTypes.length === 0;
      const search = inBody ? '' : new URLSearchParams(rest as Record<string, string>).toString();
      const serve: DispatchFunc = (request, response) =>
        void dispatch({
          request: request as IncomingMessage,
          response: response as unknown as ServerResponse,
          endpoint,
          pathParams,
          path,
          search,
          principal,
          position: before,
          origin: { requestId: 'request', clientAddress: '127.0.0.1' },
        });
      const reply = await inject(serve, {
        method: endpoint.method,
        url: search === '' ? path : `${path}?${search}`,
        ...(inBody ? { payload: rest } : {}),
        ...sent,
      });
      if (failures.length > 0) throw failures[0];
      const body = bodyOf(reply);
      const shape = endpoint.otherResponses[reply.statusCode] ?? endpoint.response;
      if (reply.statusCode < 300) shape?.parse(body);
      const appended = await store.readAll({ after: before, limit: 1000 });
      for (const { type, stream, data } of appended) {
        const problem = subjectProblem(catalogue.get(type), { subject: stream, data: data as Fields });
        if (problem) throw new Error(problem);
      }
      return {
        status: reply.statusCode,
        headers: reply.headers,
        body,
        events: appended
          .filter(({ type }) => type !== 'IdsReserved')
          .map(({ type, data }) => ({ type, data })),
      };
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

function bodyOf({ headers, payload, rawPayload }: Response): unknown {
  if (payload === '') return null;
  const isJson = String(headers['content-type']).startsWith('application/json');
  return isJson ? JSON.parse(payload) : rawPayload;
}

/** Parameters of the path in their place, and the others. */
function addressOf(endpoint: AnyEndpoint, params: Readonly<Record<string, unknown>>) {
  const pathParams: Record<string, string> = {};
  const rest = { ...params };
  const path = endpoint.path.replace(/[:*](\w+)/g, (_, name: string) => {
    pathParams[name] = String(params[name]);
    delete rest[name];
    return encodeURIComponent(pathParams[name]);
  });
  return { pathParams, path: `/api/v4${path}`, rest };
}
