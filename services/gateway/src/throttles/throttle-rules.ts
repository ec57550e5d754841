import type { SettingValues } from '@forgelog/contracts/admin/settings/application-settings.ts';
import type { ThrottleName } from '@forgelog/contracts/admin/settings/throttles.ts';
import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';

/** A limit on requests, and whose requests are counted together. */
export interface ThrottleRule {
  /** The value of `RateLimit-Name`. */
  readonly name: string;
  readonly limit: number;
  readonly periodMs: number;
  /** `file`: those of all callers who read the same file of a project. */
  readonly by: 'address' | 'caller' | 'file';
  /** The text of the refusal; undefined for the refusal of a single endpoint, which is JSON. */
  readonly text: string | undefined;
  /** Names of users whom the rule does not concern, in lower case. */
  readonly allowed: ReadonlySet<string>;
}

export interface ThrottledRequest {
  kind: 'api' | 'web' | 'git';
  method: string;
  path: string;
  principal: Principal | null;
  endpoint: AnyEndpoint | undefined;
}

type Caller = 'signed in' | 'anonymous';

/** What each endpoint's own limit is called, which setting has it, and over how many seconds it counts. */
interface EndpointLimit {
  name: string;
  setting: keyof SettingValues;
  allowlist?: 'notes_create_limit_allowlist' | 'users_get_by_id_limit_allowlist';
  seconds: number;
  by: ThrottleRule['by'];
  callers: 'signed in' | 'anonymous' | 'all';
  concerns(endpoint: AnyEndpoint): boolean;
}

const MINUTE = 60;
const NONE: readonly ThrottleRule[] = [];
const NOBODY_ALLOWED: ReadonlySet<string> = new Set();

const named =
  (...ids: string[]) =>
  ({ id }: AnyEndpoint): boolean =>
    ids.includes(id);
const creates =
  (path: RegExp) =>
  (endpoint: AnyEndpoint): boolean =>
    endpoint.method === 'POST' && path.test(endpoint.path);
const searches = ({ path }: AnyEndpoint): boolean => path.endsWith('/search');
const readsRaw = ({ path }: AnyEndpoint): boolean => /\/raw(\/\*ref_and_path)?$/.test(path);

const byCaller = { seconds: MINUTE, by: 'caller', callers: 'all' } as const;
const ENDPOINT_LIMITS: readonly EndpointLimit[] = [
  {
    ...{ name: 'issues_create', setting: 'issues_create_limit', ...byCaller },
    concerns: named('issue-create', 'issue-clone'),
  },
  {
    ...{ name: 'notes_create', setting: 'notes_create_limit', ...byCaller },
    allowlist: 'notes_create_limit_allowlist',
    concerns: creates(/\/(notes|discussions|comments)$/),
  },
  {
    ...{ name: 'pipelines_created_per_user', setting: 'pipeline_limit_per_user', ...byCaller },
    concerns: named('pipeline-create', 'mr-pipeline-create'),
  },
  {
    ...{ name: 'raw_blob', setting: 'raw_blob_request_limit', seconds: MINUTE, by: 'file', callers: 'all' },
    concerns: readsRaw,
  },
  {
    ...{ name: 'search_rate_limit', setting: 'search_rate_limit', ...byCaller, callers: 'signed in' },
    concerns: searches,
  },
  {
    ...{ name: 'search_rate_limit_unauthenticated', setting: 'search_rate_limit_unauthenticated' },
    ...{ ...byCaller, callers: 'anonymous', concerns: searches },
  },
  {
    ...{ name: 'users_get_by_id', setting: 'users_get_by_id_limit', ...byCaller, seconds: 10 * MINUTE },
    ...{ callers: 'signed in', allowlist: 'users_get_by_id_limit_allowlist', concerns: named('user-get') },
  },
  {
    ...{ name: 'projects_api', setting: 'projects_api_limit', ...byCaller, seconds: 10 * MINUTE },
    ...{ callers: 'signed in', concerns: named('project-list') },
  },
  {
    ...{
      name: 'projects_api_rate_limit_unauthenticated',
      setting: 'projects_api_rate_limit_unauthenticated',
    },
    ...{ ...byCaller, seconds: 10 * MINUTE, callers: 'anonymous', concerns: named('project-list') },
  },
  {
    ...{ name: 'project_jobs_api', setting: 'project_jobs_api_rate_limit', ...byCaller },
    ...{ callers: 'signed in', concerns: named('job-list') },
  },
];

/** Five archives a minute for each caller [L522]. */
const ARCHIVES: ThrottleRule = {
  ...{ name: 'archives', limit: 5, periodMs: MINUTE * 1000, by: 'caller' },
  ...{ text: undefined, allowed: NOBODY_ALLOWED },
};

/** Agents of runners tell who they are in the body, which is not read here; wrong ones are counted where it is. */
const tellsCallerInBody = ({ access, id }: AnyEndpoint): boolean =>
  access.kind === 'job' || ['job-request', 'runner-verify', 'runner-unregister'].includes(id);

/** So that an administrator who closed everybody out can open the door again. */
const opensTheDoor = ({ id }: AnyEndpoint, isAdmin: boolean): boolean => id === 'settings-update' && isAdmin;

const isOfPackages = ({ path }: AnyEndpoint): boolean =>
  /^\/(projects|groups)\/:id\/(-\/)?packages\//.test(path);
const isOfFiles = ({ path }: AnyEndpoint): boolean => path.startsWith('/projects/:id/repository/files');

/** Gives which rules concern a request, the widest first. Everything that can be known before is computed once. */
export function createThrottleRules(
  settings: SettingValues,
): (request: ThrottledRequest) => readonly ThrottleRule[] {
  const text = settings.rate_limiting_response_text || 'Retry later';
  const paths = settings.throttle_protected_paths_enabled ? settings.protected_paths : [];

  function throttle(setting: ThrottleName, name: string = setting): readonly ThrottleRule[] {
    if (!settings[`${setting}_enabled`]) return NONE;
    const periodMs = settings[`${setting}_period_in_seconds`] * 1000;
    const by = name.startsWith('throttle_unauthenticated') ? 'address' : 'caller';
    const limit = settings[`${setting}_requests_per_period`];
    return [{ name, limit, periodMs, by, text, allowed: NOBODY_ALLOWED }];
  }

  const special = (own: ThrottleName, instead: ThrottleName) => {
    const rules = throttle(own);
    return rules.length > 0 ? rules : throttle(instead);
  };
  const generalOf = (prefix: 'throttle_authenticated' | 'throttle_unauthenticated') => ({
    api: throttle(`${prefix}_api`),
    packages: special(`${prefix}_packages_api`, `${prefix}_api`),
    files: special(`${prefix}_files_api`, `${prefix}_api`),
    web: throttle(`${prefix}_web`),
    git: special(`${prefix}_git_http`, `${prefix}_web`),
  });
  const general = {
    'signed in': generalOf('throttle_authenticated'),
    anonymous: generalOf('throttle_unauthenticated'),
  };
  const protecting = {
    'signed in': {
      api: throttle('throttle_protected_paths', 'throttle_authenticated_protected_paths_api'),
      web: throttle('throttle_protected_paths', 'throttle_authenticated_protected_paths_web'),
    },
    anonymous: {
      api: throttle('throttle_protected_paths', 'throttle_unauthenticated_protected_paths'),
      web: throttle('throttle_protected_paths', 'throttle_unauthenticated_protected_paths'),
    },
  };

  function allowedBy({ allowlist }: EndpointLimit): ReadonlySet<string> {
    if (!allowlist) return NOBODY_ALLOWED;
    return new Set(settings[allowlist].map((name) => name.toLowerCase()));
  }

  const ofEndpoints = ENDPOINT_LIMITS.flatMap((one) => {
    const limit = settings[one.setting] as number;
    const { name, by, callers, concerns } = one;
    const periodMs = one.seconds * 1000;
    const rule: ThrottleRule = { name, limit, periodMs, by, text: undefined, allowed: allowedBy(one) };
    return limit === 0 ? [] : [{ rule, callers, concerns }];
  });

  function derive(endpoint: AnyEndpoint, kind: 'api' | 'web', caller: Caller): readonly ThrottleRule[] {
    const narrower = isOfPackages(endpoint) ? 'packages' : isOfFiles(endpoint) ? 'files' : 'api';
    const widest = kind === 'web' ? kind : narrower;
    const hidden = caller === 'anonymous' && tellsCallerInBody(endpoint);
    const rules = [
      ...(hidden ? NONE : general[caller][widest]),
      ...ofEndpoints
        .filter(({ callers, concerns }) => (callers === 'all' || callers === caller) && concerns(endpoint))
        .map(({ rule }) => rule),
      ...(endpoint.id.startsWith('repo-archive') ? [ARCHIVES] : NONE),
    ];
    return rules.length === 0 ? NONE : rules;
  }

  const derived = {
    api: { 'signed in': new Map<string, readonly ThrottleRule[]>(), anonymous: new Map() },
    web: { 'signed in': new Map<string, readonly ThrottleRule[]>(), anonymous: new Map() },
  };

  function ofEndpoint(endpoint: AnyEndpoint, kind: 'api' | 'web', caller: Caller): readonly ThrottleRule[] {
    const known = derived[kind][caller].get(endpoint.id);
    if (known) return known;
    const rules = derive(endpoint, kind, caller);
    derived[kind][caller].set(endpoint.id, rules);
    return rules;
  }

  return ({ kind, method, path, principal, endpoint }) => {
    const caller: Caller = principal === null ? 'anonymous' : 'signed in';
    if (endpoint && opensTheDoor(endpoint, principal?.isAdmin === true)) return NONE;
    const asked = kind !== 'git' && endpoint ? ofEndpoint(endpoint, kind, caller) : general[caller][kind];
    if (paths.length === 0 || method !== 'POST') return asked;
    const wanted = decoded(path);
    if (!paths.some((one) => wanted.startsWith(one))) return asked;
    return [...protecting[caller][kind === 'api' ? 'api' : 'web'], ...asked];
  };
}

/** As routes see it, which an encoded letter would escape else. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
