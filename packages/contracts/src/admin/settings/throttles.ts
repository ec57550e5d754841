/**
 * Throttles of all requests of a kind. Each has three settings: a switch, a number of requests, and a period. The
 * answer to who asks too often is in companions.md 1.1.
 */
export const THROTTLES = {
  throttle_authenticated_api: { who: 'who is signed in', what: 'calls of the API', ...perHour(7200) },
  throttle_authenticated_files_api: {
    ...{ who: 'who is signed in', what: 'calls for files of repositories, in place of those of the API' },
    ...{ requests: 500, seconds: 15 },
  },
  throttle_authenticated_git_http: {
    ...{ who: 'who is signed in', what: 'requests of git, in place of those beside the API' },
    ...perHour(3600),
  },
  throttle_authenticated_packages_api: {
    ...{ who: 'who is signed in', what: 'calls for packages, in place of those of the API' },
    ...{ requests: 1000, seconds: 15 },
  },
  throttle_authenticated_web: {
    ...{ who: 'who is signed in', what: 'requests beside the API' },
    ...perHour(7200),
  },
  throttle_protected_paths: {
    ...{ who: 'a user or an address', what: 'POST requests to `protected_paths`' },
    ...{ requests: 10, seconds: 60 },
  },
  throttle_unauthenticated: {
    ...{
      who: 'an address',
      what: 'requests beside the API, by the older name of `throttle_unauthenticated_web`',
    },
    ...perHour(3600),
  },
  throttle_unauthenticated_api: { who: 'an address', what: 'calls of the API', ...perHour(3600) },
  throttle_unauthenticated_files_api: {
    ...{ who: 'an address', what: 'calls for files of repositories, in place of those of the API' },
    ...{ requests: 125, seconds: 15 },
  },
  throttle_unauthenticated_git_http: {
    ...{ who: 'an address', what: 'requests of git, in place of those beside the API' },
    ...perHour(3600),
  },
  throttle_unauthenticated_packages_api: {
    ...{ who: 'an address', what: 'calls for packages, in place of those of the API' },
    ...{ requests: 800, seconds: 15 },
  },
  throttle_unauthenticated_web: {
    ...{ who: 'an address', what: 'requests beside the API' },
    ...perHour(3600),
  },
} as const satisfies Record<string, Throttle>;

interface Throttle {
  /** Requests of one are counted together. */
  who: string;
  what: string;
  requests: number;
  seconds: number;
}

function perHour(requests: number): { requests: number; seconds: number } {
  return { requests, seconds: 3600 };
}

export type ThrottleName = keyof typeof THROTTLES;
export const THROTTLE_NAMES = Object.keys(THROTTLES) as ThrottleName[];

/** The names of a throttle's settings. */
export const throttleSettingNames = <Name extends ThrottleName>(name: Name) =>
  [`${name}_enabled`, `${name}_requests_per_period`, `${name}_period_in_seconds`] as const;
