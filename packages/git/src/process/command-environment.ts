/** The environment and the configuration that every git command gets: nothing of the machine's, nothing of ours. */

export interface GitPolicy {
  /** Largest pack that a push may bring, in bytes. */
  maxPushBytes: number;
  /** Ref namespaces that neither a push nor a fetch may see. */
  hiddenRefs: string[];
  /** Ref namespaces that can be fetched by their full name and not be pushed to. */
  readOnlyRefs: string[];
}

/** Folder that does not exist: git finds no hooks, no home, no attributes. */
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
  // No command here may reach out: fetching between repositories is done by paths, which needs no transport.
  GIT_ALLOW_PROTOCOL: 'none',
};

/** Configuration of every command. `safe.directory` because the owner of the folder may be another uid in a container. */
const CONFIG: [string, string][] = [
  ['safe.directory', '*'],
  ['core.fsync', 'objects,derived-metadata,reference'],
  ['core.quotePath', 'true'],
  // A ref may be locked for as long as an append to the log takes.
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
 * Any object may be asked for by its id: a partial clone fetches its promised blobs so, and protocol version 2
 * checks no reachability in any case, so that a stricter setting would bind only old clients. What must not be
 * read by who may read the repository must therefore not be in the repository.
 */
export function fetchConfig(policy: GitPolicy): [string, string][] {
  return [
    ['uploadpack.allowFilter', 'true'],
    ['uploadpack.allowAnySHA1InWant', 'true'],
    ['uploadpack.keepAlive', '5'],
    ...policy.hiddenRefs.map((ref): [string, string] => ['transfer.hideRefs', ref]),
  ];
}

/** Rules about who may push what are the caller's (pre-receive); these are the ones no caller may relax. */
export function pushConfig(policy: GitPolicy): [string, string][] {
  return [
    ['receive.maxInputSize', String(policy.maxPushBytes)],
    ['receive.autogc', 'false'],
    ['receive.updateServerInfo', 'false'],
    ['receive.denyNonFastForwards', 'false'],
    ['receive.denyDeletes', 'false'],
    // Deleting the default branch is refused by rule, in words; git's own refusal would come after the vote.
    ['receive.denyDeleteCurrent', 'ignore'],
    ['receive.advertisePushOptions', 'true'],
    ['receive.advertiseAtomic', 'true'],
    ['receive.keepAlive', '5'],
    ...policy.hiddenRefs.map((ref): [string, string] => ['transfer.hideRefs', ref]),
    ...policy.readOnlyRefs.map((ref): [string, string] => ['receive.hideRefs', ref]),
  ];
}

/** The whole environment of one command. `config` is added to, and wins over, what every command has. Hooks are added by the supervisor. */
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

/** The value of GIT_ALTERNATE_OBJECT_DIRECTORIES for these folders. */
export function alternatesValue(objectDirectories: string[]): string {
  return objectDirectories
    .map((path) => (/[:"\\]/.test(path) ? `"${path.replace(/["\\]/g, '\\$&')}"` : path))
    .join(':');
}
