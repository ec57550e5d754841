import {
  type projectStatisticsView,
  projectView,
  simpleProjectView,
} from '@forgelog/contracts/repo/projects/project.views.ts';
import {
  FEATURE_FLAGS,
  PREMIUM_SETTINGS,
} from '@forgelog/contracts/repo/projects/project-settings.params.ts';
import type { groupShareView } from '@forgelog/contracts/views.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { ifGiven, tier } from '@forgelog/service-kit/view-optional.ts';
import {
  derived,
  derivedText,
  given,
  host,
  hostname,
  text,
  unlessNull,
} from '@forgelog/service-kit/view-parts.ts';
import { namespace, projectFullName, projectPath, user } from '@forgelog/service-kit/view-placeholders.ts';
import type { Part } from '@forgelog/service-kit/view-types.ts';
import type { z } from 'zod';
import type { ProjectDocument } from './project.collection.ts';
import { answeredSettings, type ProjectSettings } from './project-settings.rules.ts';

/** A project with all settings, defaults included. */
export interface ShownProject extends Omit<ProjectDocument, 'settings'> {
  settings: ProjectSettings;
  avatar: string | null;
}

export function shownProject(project: ProjectDocument): ShownProject {
  const settings = answeredSettings(project.settings as ProjectSettings);
  return { ...project, settings, avatar: settings.avatar as string | null };
}

/** Fields that depend on the caller and the request; undefined hides the field. */
export interface ProjectRequest {
  open_issues_count: number | undefined;
  can_create_merge_request_in: boolean;
  runners_token: string | undefined;
  import_url: string | null | undefined;
  repository_storage: string | undefined;
  statistics: z.output<typeof projectStatisticsView> | undefined;
  license_url: null | undefined;
  license: null | undefined;
  custom_attributes: ProjectJson['custom_attributes'];
  forked_from_project: ProjectJson['forked_from_project'];
  shared_with_groups: z.output<typeof groupShareView>[];
  permissions: { project_access: Access | null; group_access: Access | null };
}

type ProjectJson = z.output<typeof projectView>;
type ImportStatus = ProjectJson['import_status'];

interface Access {
  access_level: number;
  notification_level: number;
}

/** A field that comes from the request. */
const asked = <const K extends keyof ProjectRequest>(name: K) =>
  ifGiven((_: ShownProject, request: ProjectRequest) => request[name]);

// Settings are typed by name only: they were validated when they were set.
type Setting = Part<Pick<ShownProject, 'settings'>, unknown, never>;

const setting = (name: string): Setting =>
  derived(['settings'], (all: ProjectSettings) => all[name] as never);

const each = <const Name extends string, T>(names: readonly Name[], member: (name: Name) => T) =>
  Object.fromEntries(names.map((name) => [name, member(name)])) as Record<Name, T>;

/** Settings that keep their names in answers. */
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
  'merge_commit_template',
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
  'squash_commit_template',
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

const features = Object.keys(FEATURE_FLAGS) as (keyof typeof FEATURE_FLAGS)[];
const levels = LEVELS.map((feature) => `${feature}_access_level` as const);
const flags = Object.fromEntries(
  features.map((feature) => [
    FEATURE_FLAGS[feature],
    derived(['settings'], (all: ProjectSettings) => all[`${feature}_access_level`] !== 'disabled'),
  ]),
) as Record<
  (typeof FEATURE_FLAGS)[keyof typeof FEATURE_FLAGS],
  Part<Pick<ShownProject, 'settings'>, unknown, boolean>
>;

/** Exactly 18 fields [L112]. */
export const simpleProjectJson = implementView(simpleProjectView).from<ShownProject>({
  id: 'id',
  description: 'description',
  default_branch: 'defaultBranch',
  ssh_url_to_repo: text`git@${hostname}:${projectPath('id')}.git`,
  http_url_to_repo: text`${host}/${projectPath('id')}.git`,
  web_url: text`${host}/${projectPath('id')}`,
  readme_url: unlessNull(
    'readmePath',
    text`${host}/${projectPath('id')}/-/blob/${derivedText(['defaultBranch', 'readmePath'], pathInBranch)}`,
  ),
  tag_list: 'topics',
  topics: 'topics',
  name: 'name',
  name_with_namespace: text`${projectFullName('id')}`,
  path: 'path',
  path_with_namespace: text`${projectPath('id')}`,
  created_at: 'createdAt',
  last_activity_at: 'lastActivityAt',
  forks_count: 'forksCount',
  avatar_url: unlessNull('avatar', text`${host}${'avatar'}`),
  star_count: 'starCount',
});

/** Project [L112], with the other fields that clients read (companions.md 3). */
export const projectJson = implementView(projectView).from<ShownProject, ProjectRequest>({
  ...simpleProjectJson.members,
  visibility: 'visibility',
  owner: user('ownerId'),
  creator_id: 'creatorId',
  namespace: namespace('namespaceId'),
  archived: 'archived',
  empty_repo: derived(['hasBranches'], (hasBranches: boolean) => !hasBranches),
  import_status: derived(['importStatus'], (status: string) => status as ImportStatus),
  import_error: null,
  _links: {
    self: text`${host}/api/v4/projects/${'id'}`,
    issues: text`${host}/api/v4/projects/${'id'}/issues`,
    merge_requests: text`${host}/api/v4/projects/${'id'}/merge_requests`,
    repo_branches: text`${host}/api/v4/projects/${'id'}/repository/branches`,
    labels: text`${host}/api/v4/projects/${'id'}/labels`,
    events: text`${host}/api/v4/projects/${'id'}/events`,
    members: text`${host}/api/v4/projects/${'id'}/members`,
  },
  container_registry_image_prefix: text`${hostname}/${projectPath('id')}`,
  shared_with_groups: given((_: ShownProject, { shared_with_groups }: ProjectRequest) => shared_with_groups),
  service_desk_address: null,
  container_expiration_policy: derived(
    ['settings'],
    ({ container_expiration_policy: policy }: ProjectSettings) =>
      ({ ...(policy as object), next_run_at: null }) as never,
  ),
  public_jobs: setting('public_builds'),
  ...each(levels, setting),
  ...flags,
  ...each(SHOWN, setting),
  ...each(PREMIUM_SETTINGS, (name) => tier('premium', setting(name))),
  marked_for_deletion_at: tier('premium', 'markedOn'),
  marked_for_deletion_on: tier('premium', 'markedOn'),
  compliance_frameworks: tier('premium', []),
  forked_from_project: asked('forked_from_project'),
  mr_default_target_self: ifGiven(({ forkedFromId, settings }: ShownProject) =>
    forkedFromId === null ? undefined : settings.mr_default_target_self === true,
  ),
  open_issues_count: asked('open_issues_count'),
  can_create_merge_request_in: given(
    (_: ShownProject, { can_create_merge_request_in }: ProjectRequest) => can_create_merge_request_in,
  ),
  runners_token: asked('runners_token'),
  import_url: asked('import_url'),
  repository_storage: asked('repository_storage'),
  statistics: asked('statistics'),
  license_url: asked('license_url'),
  license: asked('license'),
  custom_attributes: asked('custom_attributes'),
  permissions: asked('permissions'),
});

function pathInBranch(branch: string, path: string): string {
  return `${branch}/${path}`.split('/').map(encodeURIComponent).join('/');
}
