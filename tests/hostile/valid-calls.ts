import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import type { Param } from '@forgelog/contracts/params.ts';
import { fixtureOf, rightsOf, unique } from '../fixtures/all-fixtures.ts';
import type { CallContext, Caller, Fixture, StreamedCall } from '../fixtures/fixture.ts';
import { settleUser } from '../support/inhabitants.ts';
import { must } from '../support/must.ts';
import type { Sent } from '../support/wire.ts';
import type { Place, World } from '../support/world.ts';

/** A call of an endpoint: its path's parameters, and the others. */
export interface ValidCall {
  method: string;
  inPath: Record<string, string | number>;
  rest: Record<string, unknown>;
  /** Body and headers, where the body is read as it arrives. */
  streamed?: StreamedCall;
  /** In place of a user's token. */
  jobToken?: string;
}

/**
 * A call that succeeds for every caller who may make it. With `fresh` it is about a record of its own, made by root,
 * so that it can be made again and again.
 */
export async function validCall(
  endpoint: AnyEndpoint,
  world: World,
  place: Place,
  { fresh = false, caller }: { fresh?: boolean; caller?: Caller | undefined } = {},
): Promise<ValidCall> {
  const fixture = fixtureOf(endpoint.id);
  const context = contextOf(endpoint, world, place, fresh, caller);
  const inPath: ValidCall['inPath'] = {};
  for (const [, name] of endpoint.path.matchAll(/[:*](\w+)/g))
    inPath[name!] = await pathValue(name!, fixture, context);
  const rest: ValidCall['rest'] = {};
  const wanted = new Set<string>(fixture.wanted?.[endpoint.id] ?? []);
  for (const { kind, names } of endpoint.rules)
    if (kind === 'at-least-one' && !names.some((name) => wanted.has(name))) wanted.add(names[0]!);
  for (const [name, param] of Object.entries(endpoint.params) as [string, Param<unknown>][]) {
    if (name in inPath || (param.presence !== 'required' && !wanted.has(name))) continue;
    const value = fixture.values?.[name];
    if (value === undefined)
      throw new Error(`${endpoint.id}: its fixture needs a value of ${name}, under values`);
    rest[name] = typeof value === 'function' ? await value(context) : value;
  }
  const body = fixture.bodies?.[endpoint.id];
  if (endpoint.bodyTypes.length > 0 && !body)
    throw new Error(`${endpoint.id}: its fixture needs a body, under bodies`);
  const [needs] = rightsOf(endpoint.id);
  return {
    ...{ method: endpoint.method, inPath, rest },
    ...(body && { streamed: await body(context) }),
    ...(needs === 'job' && { jobToken: await fixture.jobToken!(context) }),
  };
}

const makerOf = ({ records, inProject }: Fixture, name: string) => records?.[name] ?? inProject?.[name];

/** Names of the records in places that the path of an endpoint names. */
export function recordsIn(endpoint: AnyEndpoint): string[] {
  const { records, inProject } = fixtureOf(endpoint.id);
  return Object.keys({ ...records, ...inProject }).filter((name) => endpoint.path.includes(`:${name}`));
}

/** The record of a place that a path parameter names; made when it is first asked for. */
export function recordOf(
  endpoint: AnyEndpoint,
  name: string,
  world: World,
  place: Place,
): Promise<string | number> {
  const maker = makerOf(fixtureOf(endpoint.id), name);
  if (!maker) throw new Error(`${endpoint.id}: its fixture makes no ${name}, under inProject or records`);
  // Records of one name in projects and in groups are two, and so are notes of issues and of merge requests.
  const key = endpoint.path.slice(0, endpoint.path.indexOf(`:${name}`)) + name;
  let record = place.records.get(key);
  if (!record) {
    record = Promise.resolve(maker(contextOf(endpoint, world, place, false)));
    place.records.set(key, record);
  }
  return record;
}

function contextOf(
  endpoint: AnyEndpoint,
  world: World,
  place: Place,
  fresh: boolean,
  caller: Caller = { id: 1, token: world.forgelog.rootToken },
): CallContext {
  const { forgelog } = world;
  return {
    ...{ endpoint, world, place, fresh, caller, unique },
    project: `/projects/${place.projectId}`,
    group: `/groups/${place.groupId}`,
    post: (path, body, as) => must(forgelog.post(path, body, as)),
    put: (path, body) => must(forgelog.put(path, body)),
    delete: (path) => must(forgelog.delete(path)),
    get: (path) => must(forgelog.get(path)),
    user: (word) => settleUser(forgelog, unique(word)),
  };
}

async function pathValue(name: string, fixture: Fixture, context: CallContext): Promise<string | number> {
  const { endpoint, world, place, fresh } = context;
  const given = fixture.path?.[name];
  if (given !== undefined) return typeof given === 'function' ? given(context) : given;
  const maker = makerOf(fixture, name);
  if (maker)
    return fresh && endpoint.method !== 'GET' ? maker(context) : recordOf(endpoint, name, world, place);
  const { access } = endpoint;
  if (access.kind === 'project' && name === access.param) return place.projectId;
  if (access.kind === 'group' && name === access.param) return place.groupId;
  throw new Error(
    `${endpoint.id}: its fixture needs a value of the path's ${name}, under path, inProject or records`,
  );
}

/** The path below the API's root, parameters encoded once; GET and DELETE carry the rest in the query. */
export function addressOf(
  endpoint: AnyEndpoint,
  inPath: Readonly<Record<string, string | number>>,
  rest: Readonly<Record<string, unknown>> = {},
): string {
  const path = endpoint.path.replace(/[:*](\w+)/g, (_, name: string) =>
    encodeURIComponent(inPath[name] ?? ''),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) {
    if (Array.isArray(value)) for (const item of value) query.append(`${name}[]`, String(item));
    else query.append(name, String(value));
  }
  return `/api/v4${path}${query.size > 0 ? `?${query}` : ''}`;
}

export const inBody = ({ method, bodyTypes }: AnyEndpoint) =>
  ['POST', 'PUT', 'PATCH'].includes(method) && bodyTypes.length === 0;

/** The body of a call, as JSON or as it is. */
export const bodyOf = (endpoint: AnyEndpoint, { rest, streamed }: ValidCall): Sent =>
  inBody(endpoint) ? { json: rest } : { ...streamed };
