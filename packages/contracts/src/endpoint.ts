import type { z } from 'zod';
import type { Decoded, Params } from './params.ts';

/**
 * The single definition of an endpoint. The gateway routes by it, its service must implement it to start, the
 * reference is printed from it, and tests compare every response with it.
 */
export interface Endpoint<P extends Params = Params> {
  /** Stable name; the specification's row where it has one: `issue-list`. */
  id: string;
  service: ServiceName;
  method: Method;
  /** Path below `/api/v4`. `:name` is one encoded segment, `*name` the rest of the path. */
  path: string;
  summary: string;
  /** Place in the specification: `api-v4 L241` or `companions 2.7`. */
  spec: string;
  access: Access;
  /** Any one of these is enough; by default `api`, and for a GET also `read_api`. */
  scopes: readonly Scope[];
  /** Whether the token of a running job is enough, with the rights of the job's user. */
  jobToken: boolean;
  /** Any one of these is enough for a deploy token of the place; without one no deploy token opens it. */
  deployToken: readonly DeployTokenScope[];
  /** Whether a token may also come as the password of HTTP Basic, as package managers send it. */
  basic: boolean;
  tier: Tier;
  params: P;
  /** Whether a parameter that is not in `params` is refused. Others ignore it, as clients of the family expect. */
  strictParams: boolean;
  rules: readonly ParamRule[];
  pagination: Pagination;
  /** The parameter of keyset pages; lists of git content use upstream's name. */
  cursor: 'cursor' | 'page_token';
  status: number;
  /** Statuses beyond those of all similar endpoints (statuses.ts). */
  otherStatuses: readonly number[];
  /** null without a JSON body (raw content, 204). The schema of an array covers the whole array. */
  response: z.ZodType | null;
  /** Bodies of successes with another status than `status`. */
  otherResponses: Readonly<Record<number, z.ZodType>>;
  /** Media types of raw content instead of JSON. */
  mediaTypes: readonly string[];
  /** Documented headers of a success: name → description. */
  headers: Readonly<Record<string, string>>;
  /**
   * Media types of a body that the handler reads itself, as it arrives; empty where the dispatcher decodes it into
   * parameters. The parameters of such an endpoint stand in the address.
   */
  bodyTypes: readonly string[];
  /** In bytes, of a body that the dispatcher decodes. */
  maxBody: number;
}

export type ServiceName = 'gateway' | 'repo' | 'tracker' | 'ci' | 'admin';
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Tier = 'free' | 'premium' | 'ultimate';
export const SCOPES = [
  'api',
  'read_user',
  'read_api',
  'read_repository',
  'write_repository',
  'read_registry',
  'write_registry',
  'sudo',
] as const;
export type Scope = (typeof SCOPES)[number];

/** What a deploy token may open. Registries of images are not here, so their scopes open nothing. */
export const DEPLOY_TOKEN_SCOPES = [
  'read_repository',
  'read_registry',
  'write_registry',
  'read_package_registry',
  'write_package_registry',
] as const;
export type DeployTokenScope = (typeof DEPLOY_TOKEN_SCOPES)[number];

/**
 * Offset pagination of a list; every list has keyset pages as well (`pagination=keyset`). `offset`: page and
 * per_page. `capped`: up to 50,000 records. `commits`: without totals. `none`: not a list.
 */
export type Pagination = 'none' | 'offset' | 'capped' | 'commits';

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

/** A part of a project that can be disabled or restricted to members. */
export type ProjectFeature =
  | 'issues'
  | 'repository'
  | 'merge_requests'
  | 'builds'
  | 'wiki'
  | 'snippets'
  | 'operations'
  | 'packages';

/**
 * The access rule. A hidden project or group answers like a missing one.
 * - `anyone`: no credentials needed; the endpoint shows what the caller may see.
 * - `user`: a signed-in caller.
 * - `administrator`.
 * - `job`: a runner. The service verifies the token of a running job that comes in `JOB-TOKEN`, and nobody else does.
 * - `project`, `group`: the one in path parameter `param` must be visible to the caller. `role` is the least role in
 * it (`anyone`: visible is enough, for anonymous callers too unless `signedIn`). The caller must have access to
 * `feature`. While it is marked for deletion its owners read it, and only calls that are `whileMarked` change it.
 */
export type Access =
  | { kind: 'anyone' }
  | { kind: 'user' }
  | { kind: 'administrator' }
  | { kind: 'job' }
  | {
      kind: 'project';
      param: string;
      role: RoleName | 'anyone';
      signedIn: boolean;
      feature: ProjectFeature | null;
      whileMarked?: boolean;
    }
  | {
      kind: 'group';
      param: string;
      role: RoleName | 'anyone';
      signedIn: boolean;
      whileMarked?: boolean;
    };

export const anyone: Access = { kind: 'anyone' };
export const user: Access = { kind: 'user' };
export const administrator: Access = { kind: 'administrator' };
export const runningJob: Access = { kind: 'job' };

export function project(
  role: RoleName | 'anyone',
  options: { feature?: ProjectFeature; signedIn?: boolean; param?: string; whileMarked?: true } = {},
): Access {
  return {
    kind: 'project',
    param: options.param ?? 'id',
    role,
    signedIn: options.signedIn ?? role !== 'anyone',
    feature: options.feature ?? null,
    whileMarked: options.whileMarked ?? false,
  };
}

export function group(
  role: RoleName | 'anyone',
  options: { signedIn?: boolean; param?: string; whileMarked?: true } = {},
): Access {
  return {
    kind: 'group',
    param: options.param ?? 'id',
    role,
    signedIn: options.signedIn ?? role !== 'anyone',
    whileMarked: options.whileMarked ?? false,
  };
}

export type ParamRule =
  | { kind: 'exclusive'; names: readonly string[] }
  | { kind: 'at-least-one'; names: readonly string[] }
  | { kind: 'all-or-none'; names: readonly string[] };

export const exclusive = (...names: string[]): ParamRule => ({ kind: 'exclusive', names });
export const atLeastOne = (...names: string[]): ParamRule => ({ kind: 'at-least-one', names });
export const allOrNone = (...names: string[]): ParamRule => ({ kind: 'all-or-none', names });

/** 2 MiB, ample for text. Endpoints for file contents set their own limit. */
export const DEFAULT_MAX_BODY = 2 * 1024 * 1024;

type Optional =
  | 'jobToken'
  | 'deployToken'
  | 'basic'
  | 'scopes'
  | 'tier'
  | 'strictParams'
  | 'rules'
  | 'pagination'
  | 'cursor'
  | 'maxBody'
  | 'status'
  | 'otherStatuses'
  | 'response'
  | 'otherResponses'
  | 'mediaTypes'
  | 'bodyTypes'
  | 'headers';

export function defineEndpoint<const P extends Params>(
  definition: Omit<Endpoint<P>, Optional> & Partial<Pick<Endpoint<P>, Optional>>,
): Endpoint<P> {
  return {
    scopes: definition.method === 'GET' || definition.method === 'HEAD' ? ['api', 'read_api'] : ['api'],
    jobToken: false,
    deployToken: [],
    basic: false,
    tier: 'free',
    strictParams: false,
    rules: [],
    pagination: 'none',
    cursor: 'cursor',
    status: 200,
    otherStatuses: [],
    response: null,
    otherResponses: {},
    mediaTypes: [],
    bodyTypes: [],
    headers: {},
    maxBody: DEFAULT_MAX_BODY,
    ...definition,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: stands for an endpoint whose parameters are not of interest.
export type AnyEndpoint = Endpoint<any>;
export type ParamsOf<E extends AnyEndpoint> = Decoded<E['params']>;
