import type { GroupSettings } from '@forgelog/contracts/admin/groups/group.events.ts';
import { groupDetailView, groupView } from '@forgelog/contracts/admin/groups/group.views.ts';
import type { anyProjectView } from '@forgelog/contracts/repo/projects/project.views.ts';
import { storageSizes } from '@forgelog/contracts/shared/storage-sizes.ts';
import type { groupShareView } from '@forgelog/contracts/views.ts';
import type { JsonTemplate } from '@forgelog/service-kit/json-template.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { ifGiven, when } from '@forgelog/service-kit/view-optional.ts';
import { derived, given, host, made, text, unlessNull } from '@forgelog/service-kit/view-parts.ts';
import { namespaceFullName, namespacePath } from '@forgelog/service-kit/view-placeholders.ts';
import type { z } from 'zod';
import type { ShownAttribute } from '../custom-attributes/custom-attribute.query.ts';
import type { GroupRow } from './groups.projection.ts';

export interface ShownGroup extends Omit<GroupRow, 'settings'> {
  /** Those that were never set among them. */
  settings: GroupSettings;
  /** Bytes, where statistics are shown. */
  sizes?: { repositorySize: number; packagesSize: number };
  /** Where they are shown. */
  customAttributes?: ShownAttribute[];
}

const setting = <K extends keyof GroupSettings>(name: K) =>
  derived(['settings'], (all: GroupSettings) => all[name]);

/** Repositories and packages are what is measured; the rest is not kept per group. */
export const groupJson = implementView(groupView).from<ShownGroup>({
  id: 'id',
  name: 'name',
  path: 'path',
  description: 'description',
  visibility: 'visibility',
  share_with_group_lock: setting('share_with_group_lock'),
  require_two_factor_authentication: setting('require_two_factor_authentication'),
  two_factor_grace_period: setting('two_factor_grace_period'),
  project_creation_level: setting('project_creation_level'),
  auto_devops_enabled: setting('auto_devops_enabled'),
  subgroup_creation_level: 'subgroupCreationLevel',
  emails_disabled: setting('emails_disabled'),
  mentions_disabled: setting('mentions_disabled'),
  lfs_enabled: setting('lfs_enabled'),
  request_access_enabled: setting('request_access_enabled'),
  default_branch_protection: setting('default_branch_protection'),
  avatar_url: unlessNull('avatarUrl', text`${host}${'avatarUrl'}`),
  web_url: text`${host}/groups/${namespacePath('id')}`,
  full_name: text`${namespaceFullName('id')}`,
  full_path: text`${namespacePath('id')}`,
  file_template_project_id: null,
  parent_id: 'parentId',
  created_at: 'createdAt',
  marked_for_deletion_on: 'markedOn',
  statistics: ifGiven(({ sizes }: ShownGroup) => (sizes === undefined ? undefined : storageSizes(sizes))),
  custom_attributes: ifGiven(({ customAttributes }: ShownGroup) => customAttributes),
});

export interface GroupDetailRequest {
  /** For owners. */
  runnersToken: string | undefined;
  shared_with_groups: z.output<typeof groupShareView>[];
  /** null where they are not wanted. */
  projects: { own: Projects; shared: Projects } | null;
}

/** A JSON array that the repo service made. */
type Projects = string | JsonTemplate;
type ProjectList = z.output<typeof anyProjectView>[];
const withProjects = ({ projects }: GroupDetailRequest) => projects !== null;

/** Group by itself [companions 2.4]. */
export const groupDetailJson = implementView(groupDetailView).from<ShownGroup, GroupDetailRequest>({
  ...groupJson.members,
  shared_runners_setting: 'sharedRunnersSetting',
  prevent_sharing_groups_outside_hierarchy: false,
  shared_with_groups: given(
    (_: ShownGroup, { shared_with_groups }: GroupDetailRequest) => shared_with_groups,
  ),
  runners_token: ifGiven((_: ShownGroup, { runnersToken }: GroupDetailRequest) => runnersToken),
  projects: when(
    withProjects,
    made<ProjectList, ShownGroup, GroupDetailRequest>((_, { projects }) => projects!.own),
  ),
  shared_projects: when(
    withProjects,
    made<ProjectList, ShownGroup, GroupDetailRequest>((_, { projects }) => projects!.shared),
  ),
});
