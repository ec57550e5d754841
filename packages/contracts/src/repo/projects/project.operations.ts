import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { pageRequest, readyPage } from '../../shared/page.ts';

/** Decoded filters of a group's projects [L423, L424]; absent ones do not filter. */
const filters = z.object({
  archived: z.boolean().optional(),
  include_subgroups: z.boolean().optional(),
  min_access_level: z.int().optional(),
  order_by: z.string().optional(),
  owned: z.boolean().optional(),
  search: z.string().optional(),
  simple: z.boolean().optional(),
  sort: z.enum(['asc', 'desc']).optional(),
  starred: z.boolean().optional(),
  visibility: z.string().optional(),
  with_custom_attributes: z.boolean().optional(),
  with_issues_enabled: z.boolean().optional(),
  with_merge_requests_enabled: z.boolean().optional(),
  with_security_reports: z.boolean().optional(),
  with_shared: z.boolean().optional(),
});

export const listProjectsOfGroup = defineOperation({
  id: 'group-projects-list',
  service: 'repo',
  summary: 'One page of the projects of a group as the caller may see them',
  effect: 'read',
  request: z.strictObject({
    groupId: z.int(),
    /** Projects shared with the group instead of its own. */
    shared: z.boolean(),
    filters,
    page: pageRequest,
  }),
  answer: readyPage,
});

export const moveProjectToGroup = defineOperation({
  id: 'project-to-group-move',
  service: 'repo',
  summary: 'Moves a project into a group, by the rights of whoever asks',
  effect: 'write',
  request: z.strictObject({ projectId: z.int(), groupId: z.int() }),
  answer: z.strictObject({ moved: z.literal(true) }),
});

export const projectOperations = [listProjectsOfGroup, moveProjectToGroup];
