import { z } from 'zod';
import { anyProjectView } from '../../repo/projects/project.views.ts';
import { storageSizeFields } from '../../shared/storage-sizes.ts';
import {
  customAttributeView,
  datetimeView,
  dateView,
  defineView,
  groupShareView,
  visibilityView,
} from '../../views.ts';
import examples from './group.examples.json' with { type: 'json' };

const statisticsView = defineView('GroupStatistics', storageSizeFields);

/** Group [L108]. `statistics` and `custom_attributes` are for administrators who request them. */
export const groupView = defineView(
  'Group',
  {
    id: z.int(),
    name: z.string(),
    path: z.string(),
    description: z.string(),
    visibility: visibilityView,
    share_with_group_lock: z.boolean(),
    require_two_factor_authentication: z.boolean(),
    two_factor_grace_period: z.int(),
    project_creation_level: z.enum(['noone', 'maintainer', 'developer']),
    auto_devops_enabled: z.boolean().nullable(),
    subgroup_creation_level: z.enum(['owner', 'maintainer']),
    emails_disabled: z.boolean().nullable(),
    mentions_disabled: z.boolean().nullable(),
    lfs_enabled: z.boolean(),
    default_branch_protection: z.int().min(0).max(3),
    avatar_url: z.string().nullable(),
    web_url: z.string(),
    request_access_enabled: z.boolean(),
    full_name: z.string(),
    full_path: z.string(),
    /** A premium setting that cannot be set here. */
    file_template_project_id: z.int().nullable(),
    parent_id: z.int().nullable(),
    created_at: datetimeView,
    /** A premium field. */
    marked_for_deletion_on: dateView.nullable(),
    statistics: statisticsView.optional(),
    custom_attributes: z.array(customAttributeView).optional(),
  },
  examples.Group,
);

/** Group detail [companions 2.4]. */
export const groupDetailView = defineView(
  'GroupDetail',
  {
    ...groupView.shape,
    shared_runners_setting: z.enum(['enabled', 'disabled_with_override', 'disabled_and_unoverridable']),
    prevent_sharing_groups_outside_hierarchy: z.boolean(),
    /** Those that the caller sees. */
    shared_with_groups: z.array(groupShareView),
    projects: z.array(anyProjectView).optional(),
    shared_projects: z.array(anyProjectView).optional(),
    /** For owners only. */
    runners_token: z.string().optional(),
  },
  examples.GroupDetail,
);
