import type { z } from 'zod';
import type { Decoded, Params } from './params.ts';

/**
 * An endpoint, whole: the gateway routes by it, the service that owns it must implement it or refuses to start,
 * the reference is printed from it, and tests hold every response against it.
 */
export interface Endpoint<P extends Params = Params> {
  /** Stable name, the specification's row where it has one: `issue-list`. */
  id: string;
  service: ServiceName;
  method: Method;
  /** Below `/api/v4`; parameters as `:name`, one encoded segment each; `*name` takes the rest of the path. */
  path: string;
  summary: string;
  /** Where it is specified: `api-v4 L241` or `companions 2.7`. */
  spec: string;
  access: Access;
  /** Any one of these scopes will do. By default `api`, and `read_api` too for a GET. */
  scopes: readonly Scope[];
  tier: Tier;
  params: P;
  /** Rules across parameters, told apart from what a single one must be. */
  rules: readonly ParamRule[];
  pagination: Pagination;
  /** The parameter that a list's keyset pages go on with; what git holds has upstream's name for it. */
  cursor: 'cursor' | 'page_token';
  status: number;
  /** What it may answer besides, and not every endpoint of its kind may (statuses.ts). */
  otherStatuses: readonly number[];
  /** null where there is no JSON body (raw content, 204). An array's schema is that of the whole array. */
  response: z.ZodType | null;
  /** Types of raw content, where it has some instead of JSON. */
  mediaTypes: readonly string[];
  /** Headers of a success that say something of their own: name → what. */
  headers: Readonly<Record<string, string>>;
  /** Largest body in bytes. */
  maxBody: number;
}

export type ServiceName = 'gateway' | 'repo' | 'tracker' | 'ci' | 'admin';
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Tier = 'free' | 'premium' | 'ultimate';
export type Scope =
  | 'api'
  | 'read_api'
  | 'read_user'
  | 'read_repository'
  | 'write_repository'
  | 'read_registry'
  | 'write_registry'
  | 'sudo';

export const SCOPES: readonly Scope[] = [
  'api',
  'read_user',
  'read_api',
  'read_repository',
  'write_repository',
  'read_registry',
  'write_registry',
  'sudo',
];

/**
 * How a list's pages are numbered; every list has keyset pages besides (`pagination=keyset`). `offset`: page and
 * per_page. `capped`: up to 50,000 records so. `commits`: without totals. `none`: no list.
 */
export type Pagination = 'none' | 'offset' | 'capped' | 'commits';

/** Access levels of members [L118]. */
export const AccessLevel = {
  none: 0,
  minimal: 5,
  guest: 10,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
} as const;
export type RoleName = 'guest' | 'reporter' | 'developer' | 'maintainer' | 'owner';

/** A part of a project that can be disabled or kept to its members. */
export type ProjectFeature =
  | 'issues'
  | 'repository'
  | 'merge_requests'
  | 'builds'
  | 'wiki'
  | 'snippets'
  | 'operations';

/**
 * Who may call. What the caller may not see answers as if it did not exist.
 * - `anyone`: no credentials needed; the endpoint shows what the caller may see.
 * - `user`: a signed-in caller.
 * - `administrator`.
 * - `project`, `group`: the one that the path parameter `param` names must be visible; `role` is the least role in
 *   it (`anyone`: visible is enough, anonymous callers included unless `signedIn`); `feature` must be open to the
 *   caller.
 */
export type Access =
  | { kind: 'anyone' }
  | { kind: 'user' }
  | { kind: 'administrator' }
  | {
      kind: 'project';
      param: string;
      role: RoleName | 'anyone';
      signedIn: boolean;
      feature: ProjectFeature | null;
    }
  | { kind: 'group'; param: string; role: RoleName | 'anyone'; signedIn: boolean };

export const anyone: Access = { kind: 'anyone' };
export const user: Access = { kind: 'user' };
export const administrator: Access = { kind: 'administrator' };

export function project(
  role: RoleName | 'anyone',
  options: { feature?: ProjectFeature; signedIn?: boolean; param?: string } = {},
): Access {
  return {
    kind: 'project',
    param: options.param ?? 'id',
    role,
    signedIn: options.signedIn ?? role !== 'anyone',
    feature: options.feature ?? null,
  };
}

export function group(
  role: RoleName | 'anyone',
  options: { signedIn?: boolean; param?: string } = {},
): Access {
  return {
    kind: 'group',
    param: options.param ?? 'id',
    role,
    signedIn: options.signedIn ?? role !== 'anyone',
  };
}

export type ParamRule =
  | { kind: 'exclusive'; names: readonly string[] }
  | { kind: 'at-least-one'; names: readonly string[] }
  | { kind: 'all-or-none'; names: readonly string[] };

export const exclusive = (...names: string[]): ParamRule => ({ kind: 'exclusive', names });
export const atLeastOne = (...names: string[]): ParamRule => ({ kind: 'at-least-one', names });
export const allOrNone = (...names: string[]): ParamRule => ({ kind: 'all-or-none', names });

/** 2 MiB: ample for any text of a person. Endpoints that carry file contents say more. */
export const DEFAULT_MAX_BODY = 2 * 1024 * 1024;

type Optional =
  | 'scopes'
  | 'tier'
  | 'rules'
  | 'pagination'
  | 'cursor'
  | 'maxBody'
  | 'status'
  | 'otherStatuses'
  | 'response'
  | 'mediaTypes'
  | 'headers';

export function defineEndpoint<const P extends Params>(
  definition: Omit<Endpoint<P>, Optional> & Partial<Pick<Endpoint<P>, Optional>>,
): Endpoint<P> {
  return {
    scopes: definition.method === 'GET' || definition.method === 'HEAD' ? ['api', 'read_api'] : ['api'],
    tier: 'free',
    rules: [],
    pagination: 'none',
    cursor: 'cursor',
    status: 200,
    otherStatuses: [],
    response: null,
    mediaTypes: [],
    headers: {},
    maxBody: DEFAULT_MAX_BODY,
    ...definition,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: stands for an endpoint whose parameters are not of interest.
export type AnyEndpoint = Endpoint<any>;
export type ParamsOf<E extends AnyEndpoint> = Decoded<E['params']>;
