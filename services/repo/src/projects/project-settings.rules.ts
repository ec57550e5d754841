import {
  ADMINISTRATOR_SETTINGS,
  FEATURE_FLAGS,
  PREMIUM_SETTINGS,
  projectSettingParams,
} from '@forgelog/contracts/repo/projects/project-settings.params.ts';
import { servedSettings } from '@forgelog/contracts/shared/not-served.ts';

/** Settings by their names in the API. Only values that differ from `DEFAULTS` are stored. */
export type ProjectSettings = Readonly<Record<string, unknown>>;

export const EXPIRATION_DEFAULTS = {
  cadence: '1d',
  enabled: false,
  keep_n: 10,
  older_than: '90d',
  name_regex: '.*',
  name_regex_delete: null,
  name_regex_keep: null,
};

export const DEFAULTS: ProjectSettings = {
  allow_merge_on_skipped_pipeline: null,
  analytics_access_level: 'enabled',
  approvals_before_merge: 0,
  auto_cancel_pending_pipelines: 'enabled',
  auto_devops_deploy_strategy: 'continuous',
  auto_devops_enabled: false,
  autoclose_referenced_issues: true,
  avatar: null,
  build_coverage_regex: null,
  build_git_strategy: 'fetch',
  build_timeout: 3600,
  builds_access_level: 'enabled',
  ci_config_path: null,
  ci_default_git_depth: 50,
  ci_forward_deployment_enabled: true,
  container_expiration_policy: EXPIRATION_DEFAULTS,
  container_registry_access_level: 'enabled',
  emails_disabled: false,
  external_authorization_classification_label: null,
  forking_access_level: 'enabled',
  import_url: null,
  issues_access_level: 'enabled',
  issues_template: null,
  keep_latest_artifact: true,
  lfs_enabled: true,
  merge_method: 'merge',
  merge_requests_access_level: 'enabled',
  merge_requests_template: null,
  mirror: false,
  mirror_overwrites_diverged_branches: false,
  mirror_trigger_builds: false,
  mirror_user_id: null,
  only_allow_merge_if_all_discussions_are_resolved: false,
  only_allow_merge_if_pipeline_succeeds: false,
  only_mirror_protected_branches: false,
  operations_access_level: 'enabled',
  packages_enabled: true,
  pages_access_level: 'private',
  public_builds: true,
  remove_source_branch_after_merge: true,
  repository_access_level: 'enabled',
  request_access_enabled: true,
  requirements_access_level: 'enabled',
  resolve_outdated_diff_discussions: false,
  restrict_user_defined_variables: false,
  service_desk_enabled: false,
  shared_runners_enabled: true,
  show_default_award_emojis: true,
  snippets_access_level: 'enabled',
  squash_option: 'default_off',
  suggestion_commit_message: null,
  topics: [],
  wiki_access_level: 'enabled',
};

export function settingsOf(stored: ProjectSettings): Record<string, unknown> {
  return { ...DEFAULTS, ...stored };
}

/** Settings for an answer. Features that are not implemented are off. */
export function answeredSettings(stored: ProjectSettings): Record<string, unknown> {
  return servedSettings(settingsOf(stored));
}

/**
 * Reads settings from a request, under their canonical names. Deprecated flags become access levels and `tag_list`
 * becomes `topics`, unless the new parameter is present too [L542]. Settings that the caller may not set, or that the
 * edition lacks, are ignored. So is the storage, which a project cannot change.
 */
export function requestedSettings(
  params: Readonly<Record<string, unknown>>,
  caller: { isAdmin: boolean; isPremium: boolean },
  current: ProjectSettings,
): Record<string, unknown> {
  const wanted: Record<string, unknown> = {};
  for (const name of Object.keys(projectSettingParams))
    if (params[name] !== undefined) wanted[name] = params[name];
  for (const [feature, flag] of Object.entries(FEATURE_FLAGS)) {
    const isOn = wanted[flag];
    delete wanted[flag];
    if (isOn !== undefined) wanted[`${feature}_access_level`] ??= isOn ? 'enabled' : 'disabled';
  }
  const {
    tag_list: tags,
    container_expiration_policy_attributes: expiration,
    repository_storage: _,
    ...settings
  } = wanted;
  if (tags !== undefined) settings.topics ??= tags;
  if (settings.topics !== undefined) settings.topics = [...new Set(settings.topics as string[])];
  if (expiration !== undefined) {
    const before = (current.container_expiration_policy ?? EXPIRATION_DEFAULTS) as object;
    settings.container_expiration_policy = { ...before, ...(expiration as object) };
  }
  if (!caller.isPremium) for (const name of PREMIUM_SETTINGS) delete settings[name];
  if (!caller.isAdmin) for (const name of ADMINISTRATOR_SETTINGS) delete settings[name];
  return settings;
}
