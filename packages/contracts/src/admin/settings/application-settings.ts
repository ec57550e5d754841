import { z } from 'zod';
import { bool, int, list, nullable, oneOf, type Param, text } from '../../params.ts';
import { personal } from '../../personal-data.ts';
import { visibility } from '../../shared/common.params.ts';
import { THROTTLE_NAMES, THROTTLES, type ThrottleName, throttleSettingNames } from './throttles.ts';

type Level = 'private' | 'internal' | 'public';
type Value = string | number | boolean | readonly string[] | null;

/** A setting of the instance [L381]. */
export interface ApplicationSetting<V extends Value = Value> {
  /** How requests give it. */
  param: Param<unknown>;
  /** How events and answers hold it. */
  schema: z.ZodType;
  /** The value until somebody sets another. */
  fallback: V;
  about: string;
  /**
   * What reads it: `acts`, this server; `shown`, clients, to whom it is told; null, nothing, so that no other value than
   * the fallback is taken.
   */
  support: 'acts' | 'shown' | null;
}

type Support = ApplicationSetting['support'];

const flag = (fallback: boolean, about: string, support: Support = null): ApplicationSetting<boolean> => ({
  ...{ param: bool(), schema: z.boolean(), fallback, about, support },
});

const whole = (
  fallback: number,
  about: string,
  support: Support = null,
  bounds: { min?: number; max?: number } = { min: 0 },
): ApplicationSetting<number> => ({
  ...{ param: int(bounds), schema: z.int(), fallback, about, support },
});

const words = (
  fallback: string | null,
  about: string,
  support: Support = null,
): ApplicationSetting<string | null> => ({
  ...{ param: nullable(text({ max: 10_000 })), schema: personal(z.string().nullable()) },
  ...{ fallback, about, support },
});

const names = (about: string, support: Support = null): ApplicationSetting<readonly string[]> => ({
  ...{ param: list(text({ max: 1000 }), { max: 1000 }), schema: personal(z.array(z.string())) },
  ...{ fallback: [], about, support },
});

const level = (about: string, support: Support): ApplicationSetting<Level> => ({
  param: visibility,
  schema: z.enum(['private', 'internal', 'public']),
  ...{ fallback: 'private', about, support },
});

/** -1 forbids keys of the kind, 0 allows all, another number is the least bits. */
const restriction = (kind: string): ApplicationSetting<number> =>
  whole(0, `Least bits of new ${kind} keys; 0 for any, -1 for none at all`, 'acts', { min: -1, max: 16_384 });

/** A limit of calls of one kind; 0 stands for none. */
const limit = (about: string): ApplicationSetting<number> => whole(0, `${about}; 0 for no limit`, 'acts');

type ThrottleSettings = {
  [Name in ThrottleName as `${Name}_enabled`]: ApplicationSetting<boolean>;
} & {
  [Name in ThrottleName as
    | `${Name}_requests_per_period`
    | `${Name}_period_in_seconds`]: ApplicationSetting<number>;
};

const throttleSettings = Object.fromEntries(
  THROTTLE_NAMES.flatMap((name) => {
    const { who, what, requests, seconds } = THROTTLES[name];
    const [enabled, most, period] = throttleSettingNames(name);
    return [
      [enabled, flag(false, `Whether ${who} is limited in ${what}`, 'acts')],
      [most, whole(requests, `Most ${what}, for ${who} in a period`, 'acts', { min: 1 })],
      [period, whole(seconds, `Seconds of that period`, 'acts', { min: 1 })],
    ];
  }),
) as ThrottleSettings;

/** All documented settings [L381], by name. */
export const APPLICATION_SETTINGS = {
  abuse_notification_email: words(null, 'Where reports of abuse go'),
  admin_mode: flag(false, 'Whether administrators sign in a second time'),
  admin_notification_email: words(null, 'The older name of `abuse_notification_email`'),
  after_sign_out_path: words(null, 'Where people are led after they signed out', 'shown'),
  after_sign_up_text: words(null, 'Text that people read after they signed up', 'shown'),
  allow_group_owners_to_manage_ldap: flag(true, 'Whether owners of groups link them with LDAP'),
  allow_local_requests_from_hooks_and_services: flag(
    false,
    'The older name of `allow_local_requests_from_web_hooks_and_services`, with the same value',
    'acts',
  ),
  allow_local_requests_from_system_hooks: flag(
    false,
    'Whether hooks of the instance reach private addresses',
    'acts',
  ),
  allow_local_requests_from_web_hooks_and_services: flag(
    false,
    'Whether hooks of projects and groups reach private addresses',
    'acts',
  ),
  archive_builds_in_human_readable: words(null, 'Age after which jobs cannot be retried'),
  asset_proxy_allowlist: names('Domains that are not read through the asset proxy'),
  asset_proxy_enabled: flag(false, 'Whether images are read through a proxy'),
  asset_proxy_secret_key: words(null, 'Key that the asset proxy shares'),
  asset_proxy_url: words(null, 'Address of the asset proxy'),
  asset_proxy_whitelist: names('The older name of `asset_proxy_allowlist`'),
  authorized_keys_enabled: flag(false, 'Whether SSH keys are written to a file for a server of its own'),
  auto_devops_domain: words(null, 'Domain of automatic deployments'),
  auto_devops_enabled: flag(false, 'Whether projects without configuration get pipelines'),
  automatic_purchased_storage_allocation: flag(false, 'Whether bought storage is given out by itself'),
  check_namespace_plan: flag(false, 'Whether features depend on a plan of the group'),
  commit_email_hostname: words(null, 'Domain of private addresses of committers'),
  container_registry_token_expire_delay: whole(5, 'Minutes that tokens of the registry last'),
  deactivate_dormant_users: flag(false, 'Whether people who stay away are deactivated'),
  default_artifacts_expire_in: words(
    '30 days',
    'How long artifacts stay that say nothing of it; 0 for ever',
    'acts',
  ),
  default_branch_name: words(null, 'Name of the first branch of a new project', 'acts'),
  default_branch_protection: {
    ...{ param: int({ min: 0, max: 3 }), schema: z.int(), fallback: 2 },
    about: 'How default branches are protected where a group says nothing',
    support: null,
  },
  default_ci_config_path: words(null, 'Path of the configuration of pipelines in new projects', 'acts'),
  default_group_visibility: level('Visibility of new groups that say nothing of it', 'acts'),
  default_project_creation: {
    ...{ param: int({ min: 0, max: 2 }), schema: z.int(), fallback: 2 },
    about: 'Who creates projects in groups: 0 nobody, 1 maintainers, 2 developers too',
    support: 'acts',
  },
  default_project_visibility: level('Visibility of new projects that say nothing of it', 'acts'),
  default_projects_limit: whole(
    100_000,
    'Most personal projects of users who are created from now on',
    'acts',
  ),
  default_snippet_visibility: level('Visibility of new snippets that say nothing of it', 'acts'),
  delayed_project_deletion: flag(false, 'Whether groups say themselves that deletion is delayed'),
  deletion_adjourned_period: whole(0, 'Days that a deleted project or group can be restored', 'acts', {
    ...{ min: 0, max: 90 },
  }),
  diff_max_files: whole(1000, 'Most files of a diff'),
  diff_max_lines: whole(50_000, 'Most lines of a diff'),
  diff_max_patch_bytes: whole(204_800, 'Most bytes of the diff of one file'),
  disable_feed_token: flag(false, 'Whether feeds cannot be read with a token of their own'),
  disabled_oauth_sign_in_sources: names('Providers that nobody signs in with'),
  dns_rebinding_protection_enabled: flag(true, 'Whether outgoing requests keep the address they resolved'),
  domain_allowlist: names('Domains of mail addresses that people sign up with'),
  domain_denylist: names('Domains of mail addresses that nobody signs up with'),
  domain_denylist_enabled: flag(false, 'Whether `domain_denylist` counts'),
  dsa_key_restriction: whole(-1, 'Least bits of new DSA keys, which are not taken'),
  ecdsa_key_restriction: restriction('ECDSA'),
  ed25519_key_restriction: restriction('Ed25519'),
  enforce_terms: flag(false, 'Whether people accept the terms first'),
  external_authorization_service_default_label: words(null, 'Label of projects that have none'),
  external_authorization_service_enabled: flag(false, 'Whether another service is asked about access'),
  external_authorization_service_timeout: whole(0, 'Seconds that this service has'),
  external_authorization_service_url: words(null, 'Address of that service'),
  external_pipeline_validation_service_timeout: whole(0, 'Seconds that the validation of pipelines has'),
  external_pipeline_validation_service_token: words(null, 'What that validation is asked with'),
  external_pipeline_validation_service_url: words(null, 'Address that validates pipelines'),
  file_template_project_id: whole(0, 'Id of the project with templates of files'),
  first_day_of_week: whole(0, 'First day of calendars: 0 Sunday, 1 Monday, 6 Saturday', 'shown', {
    ...{ min: 0, max: 6 },
  }),
  geo_node_allowed_ips: words(null, 'Addresses of other sites'),
  geo_status_timeout: whole(10, 'Seconds that other sites have to answer'),
  home_page_url: words(null, 'Where people are led who are not signed in', 'shown'),
  issues_create_limit: limit('Most issues that a user opens in a minute'),
  keep_latest_artifact: flag(true, 'Whether projects keep the artifacts of their newest pipelines', 'acts'),
  max_attachment_size: whole(100, 'Most MiB of an uploaded file', 'acts', { min: 1, max: 10_240 }),
  max_import_size: whole(0, 'Most MiB of an import'),
  notes_create_limit: limit('Most comments that a user writes in a minute'),
  notes_create_limit_allowlist: names('Names of users whom `notes_create_limit` does not concern', 'acts'),
  npm_package_requests_forwarding: flag(false, 'Whether unknown npm packages are looked for elsewhere'),
  outbound_local_requests_whitelist: names(
    'Private addresses, networks and hosts that hooks reach nevertheless',
    'acts',
  ),
  performance_bar_allowed_group_id: whole(0, 'Id of the group that sees timings'),
  pipeline_limit_per_user: limit('Most pipelines that a user creates by calls in a minute'),
  polling_interval_multiplier: words('1.0', 'How slowly clients poll'),
  project_jobs_api_rate_limit: limit('Most times that a user lists jobs of projects in a minute'),
  projects_api_limit: limit('Most times that a user lists projects in ten minutes'),
  projects_api_rate_limit_unauthenticated: limit('Most times that an address lists projects in ten minutes'),
  protected_paths: names('Begins of paths that `throttle_protected_paths_enabled` protects', 'acts'),
  pypi_package_requests_forwarding: flag(false, 'Whether unknown PyPI packages are looked for elsewhere'),
  rate_limiting_response_text: words(
    null,
    'Text of answers to those who ask too often, in place of `Retry later`',
    'acts',
  ),
  raw_blob_request_limit: limit('Most reads of one file in a minute, of all callers together'),
  repository_storages_weighted: {
    ...{ param: bool(), schema: z.boolean(), fallback: false },
    about: 'How new repositories are spread; `STORAGE` says it here',
    support: null,
  },
  require_admin_approval_after_user_signup: flag(false, 'Whether administrators let in who signed up'),
  restricted_visibility_levels: {
    param: list(oneOf('private', 'internal', 'public')),
    schema: z.array(z.enum(['private', 'internal', 'public'])),
    fallback: [],
    about: 'What others than administrators may not make; with `public`, only who is signed in sees users',
    support: 'acts',
  },
  rsa_key_restriction: restriction('RSA'),
  search_rate_limit: limit('Most searches of a user in a minute'),
  search_rate_limit_unauthenticated: limit('Most searches from an address in a minute'),
  session_expire_delay: whole(10_080, 'Minutes that a session lasts'),
  sign_in_text: words(null, 'Text that people read before they sign in', 'shown'),
  signup_enabled: flag(false, 'Whether people make accounts themselves'),
  snippet_size_limit: whole(52_428_800, 'Most bytes of a snippet'),
  terminal_max_session_time: whole(0, 'Seconds that a terminal stays open; 0 for ever'),
  terms: words(null, 'Terms that people agree to', 'shown'),
  ...throttleSettings,
  user_oauth_applications: flag(false, 'Whether users register applications'),
  users_get_by_id_limit: limit('Most users whom a user reads by id in ten minutes'),
  users_get_by_id_limit_allowlist: names(
    'Names of users whom `users_get_by_id_limit` does not concern',
    'acts',
  ),
  wiki_page_max_content_bytes: whole(1_048_576, 'Most bytes of a page of a wiki', 'acts', {
    ...{ min: 1024, max: 1_048_576 },
  }),
} as const satisfies Record<string, ApplicationSetting>;

export type SettingName = keyof typeof APPLICATION_SETTINGS;
export const SETTING_NAMES = Object.keys(APPLICATION_SETTINGS) as SettingName[];

export const settingOf = (name: SettingName): ApplicationSetting => APPLICATION_SETTINGS[name];

type Widened<F> = F extends boolean ? boolean : F extends number ? number : F;

/** What each setting is where it counts. */
export type SettingValues = {
  [Name in SettingName]: Name extends 'restricted_visibility_levels'
    ? readonly Level[]
    : Widened<(typeof APPLICATION_SETTINGS)[Name]['fallback']>;
};

export const SETTING_FALLBACKS = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, settingOf(name).fallback]),
) as unknown as SettingValues;
