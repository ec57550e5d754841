import { z } from 'zod';
import { personal } from '../../personal-data.ts';
import { defaultsOf, setting } from '../../shared/settings.ts';

/* Settings of a project in its events, under the names of the API. */

const flag = (fallback: boolean, description: string) => setting(z.boolean(), fallback, description);
const text = (description: string) => setting(z.string().nullable(), null, description);
const LEVELS = ['disabled', 'private', 'enabled'] as const;
/** `private`: members alone. */
const level = (subject: string) =>
  setting(
    z.enum(LEVELS),
    'enabled',
    `Who has ${subject}: nobody, members, or everybody who sees the project.`,
  );
const openLevel = (subject: string, fallback: 'private' | 'enabled') =>
  setting(
    z.enum([...LEVELS, 'public']),
    fallback,
    `Who has ${subject}: nobody, members, everybody who sees the project, or everybody.`,
  );

const expirationPolicy = z.object({
  cadence: setting(z.enum(['1d', '7d', '14d', '1month', '3month']), '1d', 'How often it runs.'),
  enabled: flag(false, 'Whether it runs.'),
  keep_n: setting(z.int().nullable(), 10, 'Number of images of each name that stay; null for all.'),
  older_than: setting(
    z.enum(['7d', '14d', '30d', '90d']).nullable(),
    '90d',
    'Age from which on images are cleared away; null for any.',
  ),
  name_regex: setting(
    z.string().nullable(),
    '.*',
    'Only tags that match; the older word for `name_regex_delete`.',
  ),
  name_regex_delete: text('Only tags that match are cleared away.'),
  name_regex_keep: text('Tags that match stay.'),
});

export const EXPIRATION_DEFAULTS = defaultsOf(expirationPolicy);

export const projectSettings = z.object({
  allow_merge_on_skipped_pipeline: setting(
    z.boolean().nullable(),
    null,
    'Whether merge requests may be merged after a skipped pipeline; null means no.',
  ),
  analytics_access_level: level('analytics'),
  approvals_before_merge: setting(z.int(), 0, 'Number of approvals that a merge request needs.'),
  auto_cancel_pending_pipelines: setting(
    z.enum(['enabled', 'disabled']),
    'enabled',
    'Whether a new pipeline cancels pending ones.',
  ),
  auto_devops_deploy_strategy: setting(
    z.enum(['continuous', 'manual', 'timed_incremental']),
    'continuous',
    'How Auto DevOps deploys.',
  ),
  auto_devops_enabled: flag(false, 'Whether Auto DevOps is on.'),
  autoclose_referenced_issues: flag(true, 'Whether merging closes the issues that it names.'),
  avatar: personal(text('Address of the avatar; null for none.')),
  build_coverage_regex: text('Regular expression that finds the test coverage; null for none.'),
  build_git_strategy: setting(z.enum(['fetch', 'clone']), 'fetch', 'How jobs get the repository.'),
  build_timeout: setting(z.int(), 3600, 'Longest time of a job in seconds.'),
  builds_access_level: level('pipelines'),
  ci_config_path: text('Path of the pipeline configuration; null for the usual one.'),
  ci_default_git_depth: setting(
    z.int().nullable(),
    50,
    'Number of commits that jobs fetch; 0 or null for all.',
  ),
  ci_forward_deployment_enabled: flag(true, 'Whether older deployments are refused.'),
  container_expiration_policy: setting(
    expirationPolicy,
    EXPIRATION_DEFAULTS,
    'When container images are cleared away.',
  ),
  container_registry_access_level: level('the container registry'),
  disable_overriding_approvers_per_merge_request: flag(
    false,
    'Whether no merge request has approval rules of its own.',
  ),
  emails_disabled: flag(false, 'Whether no e-mail is sent.'),
  external_authorization_classification_label: text(
    'Label for an external authorization service; null for none.',
  ),
  forking_access_level: level('the right to fork'),
  import_url: personal(text('Address that the project was imported from; null for none.')),
  issues_access_level: level('issues'),
  issues_template: personal(text('Text that new issues begin with; null for none.')),
  keep_latest_artifact: flag(true, 'Whether the newest artifacts never expire.'),
  lfs_enabled: flag(true, 'Whether Git LFS is on.'),
  merge_commit_template: personal(text('Message of merge commits; null for the usual one.')),
  merge_method: setting(z.enum(['merge', 'rebase_merge', 'ff']), 'merge', 'How merge requests are merged.'),
  merge_requests_access_level: level('merge requests'),
  merge_requests_author_approval: flag(false, 'Whether authors may approve their merge requests.'),
  merge_requests_disable_committers_approval: flag(
    false,
    'Whether those who committed to a merge request may not approve it.',
  ),
  merge_requests_template: personal(text('Text that new merge requests begin with; null for none.')),
  mirror: flag(false, 'Whether the project mirrors another.'),
  mirror_overwrites_diverged_branches: flag(false, 'Whether the mirror overwrites branches that diverged.'),
  mirror_trigger_builds: flag(false, 'Whether a mirrored change starts a pipeline.'),
  mirror_user_id: setting(z.int().nullable(), null, 'Id of the user as whom the mirror acts; null for none.'),
  mr_default_target_self: flag(
    false,
    'Whether merge requests of a fork go to the fork itself unless told otherwise.',
  ),
  only_allow_merge_if_all_discussions_are_resolved: flag(false, 'Whether merging waits for all discussions.'),
  only_allow_merge_if_pipeline_succeeds: flag(false, 'Whether merging waits for the pipeline.'),
  only_mirror_protected_branches: flag(false, 'Whether only protected branches are mirrored.'),
  operations_access_level: level('operations'),
  packages_enabled: flag(true, 'Whether the package registry is on.'),
  pages_access_level: openLevel('the pages', 'private'),
  public_builds: flag(true, 'Whether others than members see pipelines.'),
  remove_source_branch_after_merge: flag(true, 'Whether merging deletes the source branch.'),
  repository_access_level: level('the repository'),
  request_access_enabled: flag(true, 'Whether users may ask for access.'),
  requirements_access_level: openLevel('requirements', 'enabled'),
  reset_approvals_on_push: flag(true, 'Whether a push to the source branch takes approvals back.'),
  resolve_outdated_diff_discussions: flag(
    false,
    'Whether a push resolves discussions of lines that it changes.',
  ),
  restrict_user_defined_variables: flag(false, 'Whether only maintainers may give variables to a pipeline.'),
  service_desk_enabled: flag(false, 'Whether the service desk is on.'),
  shared_runners_enabled: flag(true, 'Whether shared runners work for the project.'),
  show_default_award_emojis: flag(true, 'Whether the usual reactions are shown.'),
  snippets_access_level: level('snippets'),
  squash_commit_template: personal(text('Message of squashed commits; null for the usual one.')),
  squash_option: setting(
    z.enum(['never', 'always', 'default_on', 'default_off']),
    'default_off',
    'Whether merging squashes the commits.',
  ),
  suggestion_commit_message: personal(
    text('Message of commits that apply suggestions; null for the usual one.'),
  ),
  topics: personal(setting(z.array(z.string()), [], 'Topics of the project, each once.')),
  wiki_access_level: level('the wiki'),
});

export const PROJECT_SETTING_DEFAULTS = defaultsOf(projectSettings);
