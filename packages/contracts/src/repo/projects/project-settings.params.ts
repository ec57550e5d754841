import { bool, described, hash, int, lines, list, nullable, oneOf, oneOfInts, text } from '../../params.ts';

/** Parameters of both creation and update of a project [L469]. */
const level = oneOf('disabled', 'private', 'enabled');
/** Pages and requirements may be public as well [L111]. */
const openLevel = oneOf('disabled', 'private', 'enabled', 'public');
const short = nullable(text({ max: 255 }));
const template = nullable(lines({ max: 500 }));

/** Access levels of a project's features, each with its deprecated boolean where it has one. */
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

/** Premium settings: other editions neither accept nor show them [L26]. */
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
  allow_merge_on_skipped_pipeline: described(
    nullable(bool()),
    'Whether merge requests may be merged after a skipped pipeline',
  ),
  analytics_access_level: described(level, 'Who has analytics'),
  approvals_before_merge: described(int({ min: 0, max: 1000 }), 'Approvals that a merge request needs'),
  auto_cancel_pending_pipelines: described(
    oneOf('enabled', 'disabled'),
    'Whether a new pipeline cancels pending ones',
  ),
  auto_devops_deploy_strategy: described(
    oneOf('continuous', 'manual', 'timed_incremental'),
    'How Auto DevOps deploys',
  ),
  auto_devops_enabled: described(bool(), 'Whether Auto DevOps is on'),
  autoclose_referenced_issues: described(bool(), 'Whether merging closes the issues that it names'),
  build_coverage_regex: described(short, 'Regular expression that finds the test coverage'),
  build_git_strategy: described(oneOf('fetch', 'clone'), 'How jobs get the repository'),
  build_timeout: described(int({ min: 600, max: 2_592_000 }), 'Longest time of a job in seconds'),
  builds_access_level: described(level, 'Who has pipelines'),
  ci_config_path: described(short, 'Path of the pipeline configuration'),
  ci_default_git_depth: described(nullable(int({ min: 0, max: 1000 })), 'Commits that jobs fetch; 0 for all'),
  ci_forward_deployment_enabled: described(bool(), 'Whether older deployments are refused'),
  container_expiration_policy_attributes: described(
    hash({
      cadence: described(oneOf('1d', '7d', '14d', '1month', '3month'), 'How often it runs'),
      enabled: described(bool(), 'Whether it runs'),
      keep_n: described(nullable(oneOfInts(1, 5, 10, 25, 50, 100)), 'Images of each name that stay'),
      older_than: described(nullable(oneOf('7d', '14d', '30d', '90d')), 'Only images that are older'),
      name_regex: described(short, 'Only tags that match; the older word for `name_regex_delete`'),
      name_regex_delete: described(short, 'Only tags that match'),
      name_regex_keep: described(short, 'Tags that match stay'),
    }),
    'When container images are cleared away',
  ),
  container_registry_access_level: described(level, 'Who has the container registry'),
  container_registry_enabled: described(bool(), 'The older word for `container_registry_access_level`'),
  emails_disabled: described(bool(), 'Whether no e-mail is sent'),
  external_authorization_classification_label: described(
    short,
    'Label for an external authorization service',
  ),
  forking_access_level: described(level, 'Who may fork'),
  issues_access_level: described(level, 'Who has issues'),
  issues_enabled: described(bool(), 'The older word for `issues_access_level`'),
  issues_template: described(nullable(text()), 'Text that new issues begin with'),
  jobs_enabled: described(bool(), 'The older word for `builds_access_level`'),
  keep_latest_artifact: described(bool(), 'Whether the newest artifacts never expire'),
  lfs_enabled: described(bool(), 'Whether Git LFS is on'),
  merge_commit_template: described(
    template,
    'Message of merge commits, with variables like `%{title}`; null for the usual one',
    { examples: ["Merge '%{source_branch}'\n\n%{description}"] },
  ),
  merge_method: described(oneOf('merge', 'rebase_merge', 'ff'), 'How merge requests are merged'),
  merge_requests_access_level: described(level, 'Who has merge requests'),
  merge_requests_enabled: described(bool(), 'The older word for `merge_requests_access_level`'),
  merge_requests_template: described(nullable(text()), 'Text that new merge requests begin with'),
  mirror: described(bool(), 'Whether the project mirrors another'),
  mirror_overwrites_diverged_branches: described(
    bool(),
    'Whether the mirror overwrites branches that diverged',
  ),
  mirror_trigger_builds: described(bool(), 'Whether a mirrored change starts a pipeline'),
  mirror_user_id: described(int({ min: 1 }), 'Id of the user who the mirror acts as'),
  mr_default_target_self: described(
    bool(),
    'Whether merge requests of a fork go to the fork itself by default',
  ),
  only_allow_merge_if_all_discussions_are_resolved: described(
    bool(),
    'Whether merging waits for all discussions',
  ),
  only_allow_merge_if_pipeline_succeeds: described(bool(), 'Whether merging waits for the pipeline'),
  only_mirror_protected_branches: described(bool(), 'Whether only protected branches are mirrored'),
  operations_access_level: described(level, 'Who has operations'),
  packages_enabled: described(bool(), 'Whether the package registry is on'),
  pages_access_level: described(openLevel, 'Who sees the pages'),
  public_builds: described(bool(), 'Whether others than members see pipelines'),
  remove_source_branch_after_merge: described(bool(), 'Whether merging deletes the source branch'),
  repository_access_level: described(level, 'Who has the repository'),
  repository_storage: described(text({ max: 255 }), 'Storage of the repository, for administrators'),
  request_access_enabled: described(bool(), 'Whether users may ask for access'),
  requirements_access_level: described(openLevel, 'Who has requirements'),
  resolve_outdated_diff_discussions: described(
    bool(),
    'Whether a push resolves discussions of lines that it changes',
  ),
  restrict_user_defined_variables: described(
    bool(),
    'Whether only maintainers may give variables to a pipeline',
  ),
  service_desk_enabled: described(bool(), 'Whether the service desk is on'),
  shared_runners_enabled: described(bool(), 'Whether shared runners work for the project'),
  show_default_award_emojis: described(bool(), 'Whether the usual reactions are shown'),
  snippets_access_level: described(level, 'Who has snippets'),
  snippets_enabled: described(bool(), 'The older word for `snippets_access_level`'),
  squash_option: described(
    oneOf('never', 'always', 'default_on', 'default_off'),
    'Whether merging squashes the commits',
  ),
  squash_commit_template: described(
    template,
    'Message of squashed commits, with variables like `%{title}`; null for the title',
    { examples: ['%{first_multiline_commit}'] },
  ),
  suggestion_commit_message: described(short, 'Message of commits that apply suggestions'),
  tag_list: described(list(text({ max: 255 }), { max: 100 }), 'The older word for `topics`'),
  topics: described(list(text({ max: 255 }), { max: 100 }), 'Topics of the project'),
  wiki_access_level: described(level, 'Who has the wiki'),
  wiki_enabled: described(bool(), 'The older word for `wiki_access_level`'),
};
