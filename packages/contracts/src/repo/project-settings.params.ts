import { bool, hash, int, list, nullable, oneOf, oneOfInts, text } from '../params.ts';

/** What creating and changing a project have in common [L469]. */
const level = oneOf('disabled', 'private', 'enabled');
/** Pages and requirements can also be open to everybody [L111]. */
const openLevel = oneOf('disabled', 'private', 'enabled', 'public');
const short = nullable(text({ max: 255 }));

/** Access levels of a project's parts, with the deprecated flag that says the same of those that have one. */
export const FEATURE_FLAGS = {
  issues: 'issues_enabled',
  merge_requests: 'merge_requests_enabled',
  builds: 'jobs_enabled',
  wiki: 'wiki_enabled',
  snippets: 'snippets_enabled',
  container_registry: 'container_registry_enabled',
} as const;

/** Settings that only administrators may set [L469]. */
export const ADMINISTRATOR_SETTINGS = ['repository_storage', 'mirror_user_id'] as const;

/** Settings of the premium tier: elsewhere they are neither taken nor shown [L26]. */
export const PREMIUM_SETTINGS = [
  'approvals_before_merge',
  'external_authorization_classification_label',
  'mirror',
  'mirror_user_id',
  'mirror_trigger_builds',
  'mirror_overwrites_diverged_branches',
  'only_mirror_protected_branches',
  'issues_template',
  'merge_requests_template',
] as const;

export const projectSettingParams = {
  allow_merge_on_skipped_pipeline: nullable(bool()),
  analytics_access_level: level,
  approvals_before_merge: int({ min: 0, max: 1000 }),
  auto_cancel_pending_pipelines: oneOf('enabled', 'disabled'),
  auto_devops_deploy_strategy: oneOf('continuous', 'manual', 'timed_incremental'),
  auto_devops_enabled: bool(),
  autoclose_referenced_issues: bool(),
  build_coverage_regex: short,
  build_git_strategy: oneOf('fetch', 'clone'),
  build_timeout: int({ min: 600, max: 2_592_000 }),
  builds_access_level: level,
  ci_config_path: short,
  ci_default_git_depth: nullable(int({ min: 0, max: 1000 })),
  ci_forward_deployment_enabled: bool(),
  container_expiration_policy_attributes: hash({
    cadence: oneOf('1d', '7d', '14d', '1month', '3month'),
    enabled: bool(),
    keep_n: nullable(oneOfInts(1, 5, 10, 25, 50, 100)),
    older_than: nullable(oneOf('7d', '14d', '30d', '90d')),
    name_regex: short,
    name_regex_delete: short,
    name_regex_keep: short,
  }),
  container_registry_access_level: level,
  container_registry_enabled: bool(),
  emails_disabled: bool(),
  external_authorization_classification_label: short,
  forking_access_level: level,
  issues_access_level: level,
  issues_enabled: bool(),
  issues_template: nullable(text()),
  jobs_enabled: bool(),
  keep_latest_artifact: bool(),
  lfs_enabled: bool(),
  merge_method: oneOf('merge', 'rebase_merge', 'ff'),
  merge_requests_access_level: level,
  merge_requests_enabled: bool(),
  merge_requests_template: nullable(text()),
  mirror: bool(),
  mirror_overwrites_diverged_branches: bool(),
  mirror_trigger_builds: bool(),
  mirror_user_id: int({ min: 1 }),
  only_allow_merge_if_all_discussions_are_resolved: bool(),
  only_allow_merge_if_pipeline_succeeds: bool(),
  only_mirror_protected_branches: bool(),
  operations_access_level: level,
  packages_enabled: bool(),
  pages_access_level: openLevel,
  public_builds: bool(),
  remove_source_branch_after_merge: bool(),
  repository_access_level: level,
  repository_storage: text({ max: 255 }),
  request_access_enabled: bool(),
  requirements_access_level: openLevel,
  resolve_outdated_diff_discussions: bool(),
  restrict_user_defined_variables: bool(),
  service_desk_enabled: bool(),
  shared_runners_enabled: bool(),
  show_default_award_emojis: bool(),
  snippets_access_level: level,
  snippets_enabled: bool(),
  squash_option: oneOf('never', 'always', 'default_on', 'default_off'),
  suggestion_commit_message: short,
  tag_list: list(text({ max: 255 }), { max: 100 }),
  topics: list(text({ max: 255 }), { max: 100 }),
  wiki_access_level: level,
  wiki_enabled: bool(),
};
