import { z } from 'zod';
import { storageSizeFields } from '../../shared/storage-sizes.ts';
import {
  customAttributeView,
  datetimeView,
  defineView,
  groupShareView,
  userView,
  visibilityView,
} from '../../views.ts';
import examples from './project.examples.json' with { type: 'json' };

const level = z.enum(['disabled', 'private', 'enabled']);
const openLevel = z.enum(['disabled', 'private', 'enabled', 'public']);
const text = z.string();
const flag = z.boolean();

/** Exactly these 18 fields [L112]. */
const simpleFields = {
  id: z.int(),
  description: text.nullable(),
  default_branch: text.nullable(),
  ssh_url_to_repo: text,
  http_url_to_repo: text,
  web_url: text,
  readme_url: text.nullable(),
  tag_list: z.array(text),
  topics: z.array(text),
  name: text,
  name_with_namespace: text,
  path: text,
  path_with_namespace: text,
  created_at: datetimeView,
  last_activity_at: datetimeView,
  forks_count: z.int(),
  avatar_url: text.nullable(),
  star_count: z.int(),
};
export const simpleProjectView = defineView('SimpleProject', simpleFields, examples.SimpleProject);

export const namespaceView = defineView('Namespace', {
  id: z.int(),
  name: text,
  path: text,
  kind: z.enum(['user', 'group']),
  full_path: text,
  parent_id: z.int().nullable(),
  avatar_url: text.nullable(),
  web_url: text,
});

const access = defineView('ProjectAccess', { access_level: z.int(), notification_level: z.int() }).nullable();

export const projectStatisticsView = defineView('ProjectStatistics', {
  commit_count: z.int(),
  ...storageSizeFields,
});

const premiumFields = {
  approvals_before_merge: z.int(),
  external_authorization_classification_label: text.nullable(),
  mirror: flag,
  mirror_user_id: z.int().nullable(),
  mirror_trigger_builds: flag,
  mirror_overwrites_diverged_branches: flag,
  only_mirror_protected_branches: flag,
  issues_template: text.nullable(),
  merge_requests_template: text.nullable(),
  marked_for_deletion_at: text.nullable(),
  marked_for_deletion_on: text.nullable(),
  compliance_frameworks: z.array(text),
};

/**
 * Project [L112], with further fields that clients read (companions.md 3). Optional fields depend on the caller or
 * the edition.
 */
export const projectView = defineView(
  'Project',
  {
    ...simpleFields,
    ...z.object(premiumFields).partial().shape,
    visibility: visibilityView,
    owner: userView.nullable(),
    creator_id: z.int(),
    namespace: namespaceView.nullable(),
    archived: flag,
    empty_repo: flag,
    import_status: z.enum(['none', 'scheduled', 'started', 'finished', 'failed']),
    import_error: text.nullable(),
    import_url: text.nullable().optional(),
    forked_from_project: defineView('ForkedFromProject', {
      id: z.int(),
      name: text,
      name_with_namespace: text,
      path: text,
      path_with_namespace: text,
      http_url_to_repo: text,
      web_url: text,
    }).optional(),
    mr_default_target_self: flag.optional(),
    _links: defineView('ProjectLinks', {
      self: text,
      issues: text,
      merge_requests: text,
      repo_branches: text,
      labels: text,
      events: text,
      members: text,
    }),
    container_registry_image_prefix: text,
    shared_with_groups: z.array(groupShareView),
    open_issues_count: z.int().optional(),
    can_create_merge_request_in: flag,
    permissions: defineView('ProjectPermissions', {
      project_access: access,
      group_access: access,
    }).optional(),
    runners_token: text.optional(),
    statistics: projectStatisticsView.optional(),
    license: z.null().optional(),
    license_url: z.null().optional(),
    custom_attributes: z.array(customAttributeView).optional(),
    service_desk_enabled: flag,
    service_desk_address: text.nullable(),
    container_expiration_policy: defineView('ContainerExpirationPolicy', {
      cadence: text,
      enabled: flag,
      keep_n: z.int().nullable(),
      older_than: text.nullable(),
      name_regex: text.nullable(),
      name_regex_delete: text.nullable(),
      name_regex_keep: text.nullable(),
      next_run_at: text.nullable(),
    }),
    issues_enabled: flag,
    merge_requests_enabled: flag,
    jobs_enabled: flag,
    wiki_enabled: flag,
    snippets_enabled: flag,
    container_registry_enabled: flag,
    issues_access_level: level,
    repository_access_level: level,
    merge_requests_access_level: level,
    forking_access_level: level,
    wiki_access_level: level,
    builds_access_level: level,
    snippets_access_level: level,
    pages_access_level: openLevel,
    operations_access_level: level,
    analytics_access_level: level,
    container_registry_access_level: level,
    requirements_access_level: openLevel,
    allow_merge_on_skipped_pipeline: flag.nullable(),
    auto_cancel_pending_pipelines: z.enum(['enabled', 'disabled']),
    auto_devops_deploy_strategy: text,
    auto_devops_enabled: flag,
    autoclose_referenced_issues: flag,
    build_coverage_regex: text.nullable(),
    build_git_strategy: text,
    build_timeout: z.int(),
    ci_config_path: text.nullable(),
    ci_default_git_depth: z.int().nullable(),
    ci_forward_deployment_enabled: flag,
    emails_disabled: flag,
    keep_latest_artifact: flag,
    lfs_enabled: flag,
    merge_commit_template: text.nullable(),
    merge_method: z.enum(['merge', 'rebase_merge', 'ff']),
    only_allow_merge_if_all_discussions_are_resolved: flag,
    only_allow_merge_if_pipeline_succeeds: flag,
    packages_enabled: flag,
    public_jobs: flag,
    remove_source_branch_after_merge: flag,
    repository_storage: text.optional(),
    request_access_enabled: flag,
    resolve_outdated_diff_discussions: flag,
    restrict_user_defined_variables: flag,
    shared_runners_enabled: flag,
    show_default_award_emojis: flag,
    squash_commit_template: text.nullable(),
    squash_option: z.enum(['never', 'always', 'default_on', 'default_off']),
    suggestion_commit_message: text.nullable(),
  },
  examples.Project,
);

export const anyProjectView = z.union([simpleProjectView, projectView]);
