import { FEATURE_FLAGS, PREMIUM_SETTINGS } from '@forgelog/contracts/repo/project-settings.params.ts';
import { ref, TextRef, writeReadyJson } from '@forgelog/service-kit/ready-json.ts';
import type { ProjectDocument } from './project.collections.ts';
import { answeredSettings, type ProjectSettings, settingsOf } from './project-settings.ts';

/** Everything of a project's answer but what depends on who asks: see project-answers.ts. */
type Fields = Omit<ProjectDocument, 'simple' | 'body' | 'premium'>;

/** Settings that are shown under their own names. */
const SHOWN = [
  'allow_merge_on_skipped_pipeline',
  'auto_cancel_pending_pipelines',
  'auto_devops_deploy_strategy',
  'auto_devops_enabled',
  'autoclose_referenced_issues',
  'build_coverage_regex',
  'build_git_strategy',
  'build_timeout',
  'ci_config_path',
  'ci_default_git_depth',
  'ci_forward_deployment_enabled',
  'emails_disabled',
  'keep_latest_artifact',
  'lfs_enabled',
  'merge_method',
  'only_allow_merge_if_all_discussions_are_resolved',
  'only_allow_merge_if_pipeline_succeeds',
  'packages_enabled',
  'remove_source_branch_after_merge',
  'request_access_enabled',
  'resolve_outdated_diff_discussions',
  'restrict_user_defined_variables',
  'service_desk_enabled',
  'shared_runners_enabled',
  'show_default_award_emojis',
  'squash_option',
  'suggestion_commit_message',
] as const;

const LEVELS = [
  'issues',
  'repository',
  'merge_requests',
  'forking',
  'wiki',
  'builds',
  'snippets',
  'pages',
  'operations',
  'analytics',
  'container_registry',
  'requirements',
] as const;

/** The document with its ready JSON. */
export function withBodies(fields: Fields): ProjectDocument {
  const simple = simpleView(fields);
  return {
    ...fields,
    simple: writeReadyJson(simple),
    body: writeReadyJson({ ...simple, ...fullView(fields) }),
    premium: writeReadyJson(premiumView(fields)),
  };
}

function addressesOf(id: number) {
  const path = ref.projectPath(id);
  return {
    web: (rest = '') => new TextRef(['', ref.host, '/', path, rest]),
    api: (rest = '') => new TextRef(['', ref.host, `/api/v4/projects/${id}${rest}`]),
    http: () => new TextRef(['', ref.host, '/', path, '.git']),
    ssh: () => new TextRef(['git@', ref.hostname, ':', path, '.git']),
    registry: () => new TextRef(['', ref.hostname, '/', path, '']),
    path: () => new TextRef(['', path, '']),
    fullName: () => new TextRef(['', ref.projectFullName(id), '']),
  };
}

/** The 18 fields, and nothing else [L112]. */
function simpleView(fields: Fields) {
  const { id, description, defaultBranch, topics, readmePath, name, path } = fields;
  const { avatar } = settingsOf(fields.settings as ProjectSettings) as { avatar: string | null };
  const at = addressesOf(id);
  return {
    id,
    description,
    default_branch: defaultBranch,
    ssh_url_to_repo: at.ssh(),
    http_url_to_repo: at.http(),
    web_url: at.web(),
    readme_url:
      readmePath === null ? null : at.web(`/-/blob/${encodePath(`${defaultBranch}/${readmePath}`)}`),
    tag_list: topics,
    topics,
    name,
    name_with_namespace: at.fullName(),
    path,
    path_with_namespace: at.path(),
    created_at: fields.createdAt,
    last_activity_at: fields.lastActivityAt,
    forks_count: fields.forksCount,
    avatar_url: avatar === null ? null : new TextRef(['', ref.host, avatar]),
    star_count: fields.starCount,
  };
}

function fullView(fields: Fields) {
  const { id } = fields;
  const settings = answeredSettings(fields.settings as ProjectSettings);
  const at = addressesOf(id);
  const levels = LEVELS.map((feature) => [`${feature}_access_level`, settings[`${feature}_access_level`]]);
  const flags = Object.entries(FEATURE_FLAGS).map(([feature, flag]) => [
    flag,
    settings[`${feature}_access_level`] !== 'disabled',
  ]);
  return {
    visibility: fields.visibility,
    owner: ref.user(fields.ownerId),
    creator_id: fields.creatorId,
    namespace: ref.namespace(fields.namespaceId as number),
    archived: fields.archived,
    empty_repo: !fields.hasBranches,
    import_status: 'none',
    import_error: null,
    _links: {
      self: at.api(),
      issues: at.api('/issues'),
      merge_requests: at.api('/merge_requests'),
      repo_branches: at.api('/repository/branches'),
      labels: at.api('/labels'),
      events: at.api('/events'),
      members: at.api('/members'),
    },
    container_registry_image_prefix: at.registry(),
    shared_with_groups: [],
    service_desk_address: null,
    container_expiration_policy: { ...(settings.container_expiration_policy as object), next_run_at: null },
    public_jobs: settings.public_builds,
    ...Object.fromEntries(levels),
    ...Object.fromEntries(flags),
    ...Object.fromEntries(SHOWN.map((name) => [name, settings[name]])),
  };
}

function premiumView(fields: Fields) {
  const settings = answeredSettings(fields.settings as ProjectSettings);
  return {
    ...Object.fromEntries(PREMIUM_SETTINGS.map((name) => [name, settings[name]])),
    marked_for_deletion_at: null,
    marked_for_deletion_on: null,
    compliance_frameworks: [],
  };
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
