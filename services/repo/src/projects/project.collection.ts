import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { SERVED_VERSION } from '@forgelog/contracts/shared/not-served.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const projects = defineCollection({
  name: 'projects',
  key: 'id',
  fields: {
    id: 'integer',
    namespaceId: 'integer',
    ownerId: 'integer?',
    creatorId: 'integer',
    /** Ids of the groups above it. */
    ancestors: 'integer[]',
    name: 'text',
    nameLower: 'text',
    path: 'text',
    pathLower: 'text',
    description: 'text?',
    visibility: 'text',
    archived: 'boolean',
    /** Its namespace was deleted: hidden at once, deleted by policy. */
    gone: 'boolean',
    topics: 'text[]',
    defaultBranch: 'text?',
    hasBranches: 'boolean',
    settings: 'json',
    issuesLevel: 'text',
    mergeRequestsLevel: 'text',
    repositoryStorage: 'text',
    repositorySize: 'integer',
    commitCount: 'integer',
    readmePath: 'text?',
    /** The event that moved a ref last. */
    lastRefEvent: 'text?',
    starCount: 'integer',
    forksCount: 'integer',
    openIssues: 'integer',
    /** Those of them that are not confidential. */
    openPublicIssues: 'integer',
    createdAt: 'text',
    updatedAt: 'text',
    lastActivityAt: 'text',
  },
  indexes: [
    ['gone', 'createdAt'],
    ['gone', 'updatedAt'],
    ['gone', 'lastActivityAt'],
    ['gone', 'nameLower'],
    ['gone', 'pathLower'],
    ['gone', 'repositorySize'],
    ['namespaceId', 'nameLower'],
    ['namespaceId', 'createdAt'],
    ['ancestors'],
    ['topics'],
  ],
  search: ['name', 'path', 'description'],
  madeWith: SERVED_VERSION,
});

export type ProjectDocument = DocumentOf<typeof projects>;

/** The groups above each group: what "the projects below it" means. */
export const projectGroups = defineCollection({
  name: 'project_groups',
  key: 'id',
  fields: { id: 'integer', ancestors: 'integer[]' },
  indexes: [],
  ownedBy: [endsWith(GroupDeleted, ({ groupId }) => eq('id', groupId))],
});

/** Who has starred what. */
export const projectStars = defineCollection({
  name: 'project_stars',
  key: 'key',
  fields: {
    /** `<project id>-<user id>`. */
    key: 'text',
    projectId: 'integer',
    userId: 'integer',
  },
  indexes: [['projectId'], ['userId']],
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(UserDeleted, ({ userId }) => eq('userId', userId)),
  ],
});

/** Which issues count as open ones of their project. */
export const projectIssues = defineCollection({
  name: 'project_issues',
  key: 'id',
  fields: { id: 'integer', projectId: 'integer', open: 'boolean', confidential: 'boolean' },
  indexes: [['projectId']],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});
