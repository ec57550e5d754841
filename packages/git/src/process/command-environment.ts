/** The environment and configuration of every git command. Nothing is inherited from the machine. */

export interface GitPolicy {
  maxPushBytes: number;
  /** Ref namespaces hidden from push and fetch. */
  hiddenRefs: string[];
  /** Ref namespaces that can be fetched but not pushed. */
  readOnlyRefs: string[];
}

/** A missing folder, so that git finds no hooks, home or attributes. */
const NOWHERE = '/nonexistent';

const FIXED: Record<string, string> = {
  HOME: NOWHERE,
  XDG_CONFIG_HOME: NOWHERE,
  LC_ALL: 'C',
  TZ: 'UTC',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_ADVICE: '0',
  // No network: objects are copied between repositories by path, which needs no transport.
  GIT_ALLOW_PROTOCOL: 'none',
};

/** `safe.directory`: in a container the folder's owner may have another uid. */
const CONFIG: [string, string][] = [
  ['safe.directory', '*'],
  ['core.fsync', 'objects,derived-metadata,reference'],
  ['core.quotePath', 'true'],
  // A ref may stay locked while an event is appended to the log.
  ['core.filesRefLockTimeout', '5000'],
  ['core.packedRefsTimeout', '5000'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['http.followRedirects', 'false'],
  ['transfer.fsckObjects', 'true'],
  ['core.bigFileThreshold', '64m'],
  ['blame.markIgnoredLines', 'false'],
  ['diff.suppressBlankEmpty', 'false'],
];

/**
 * Allows fetching any object by id: partial clones need it, and protocol v2 does not check reachability anyway. So a
 * repository must not contain what its readers may not see.
 */
export function fetchConfig(policy: GitPolicy): [string, string][] {
  return [
    ['uploadpack.allowFilter', 'true'],
    ['uploadpack.allowAnySHA1InWant', 'true'],
    ['uploadpack.keepAlive', '5'],
    ...policy.hiddenRefs.map((ref): [string, string] => ['transfer.hideRefs', ref]),
  ];
}

/** Limits that no caller can relax. The push rules are in the caller's pre-receive hook. */
export function pushConfig(policy: GitPolicy): [string, string][] {
  return [
    ['receive.maxInputSize', String(policy.maxPushBytes)],
    ['receive.autogc', 'false'],
    ['receive.updateServerInfo', 'false'],
    ['receive.denyNonFastForwards', 'false'],
    ['receive.denyDeletes', 'false'],
    // A rule refuses this with a text; git's own refusal would come after the vote.
    ['receive.denyDeleteCurrent', 'ignore'],
    ['receive.advertisePushOptions', 'true'],
    ['receive.advertiseAtomic', 'true'],
    ['receive.keepAlive', '5'],
    // All refs go to one hook, which moves them in one transaction.
    ['receive.procReceiveRefs', 'refs/'],
    ...policy.hiddenRefs.map((ref): [string, string] => ['transfer.hideRefs', ref]),
    ...policy.readOnlyRefs.map((ref): [string, string] => ['receive.hideRefs', ref]),
  ];
}

/** The environment of one command. `config` overrides the common configuration. The supervisor adds the hooks. */
export function commandEnvironment(
  gitDir: string,
  config: [string, string][] = [],
  extra: Record<string, string> = {},
): Record<string, string> {
  const all: [string, string][] = [...CONFIG, ['core.hooksPath', NOWHERE], ...config];
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    ...FIXED,
    GIT_DIR: gitDir,
    ...extra,
  };
  env.GIT_CONFIG_COUNT = String(all.length);
  all.forEach(([key, value], index) => {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return env;
}

/** Quotes folders for GIT_ALTERNATE_OBJECT_DIRECTORIES. */
export function alternatesValue(objectDirectories: string[]): string {
  return objectDirectories
    .map((path) => (/[:"\\]/.test(path) ? `"${path.replace(/["\\]/g, '\\$&')}"` : path))
    .join(':');
}
