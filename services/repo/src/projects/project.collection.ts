import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { projectStarLifetime } from '@forgelog/contracts/repo/projects/project-star.lifetime.ts';
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
    /** Ids of the parent groups. */
    ancestors: 'integer[]',
    name: 'text',
    nameLower: 'text',
    path: 'text',
    pathLower: 'text',
    description: 'text?',
    visibility: 'text',
    archived: 'boolean',
    /** When it will be deleted, and the day on which it was marked for that; null unless it is marked by itself. */
    deletionDueAt: 'text?',
    markedOn: 'text?',
    /** Set when the namespace was deleted: hidden at once, deleted by a policy. */
    gone: 'boolean',
    topics: 'text[]',
    defaultBranch: 'text?',
    hasBranches: 'boolean',
    settings: 'json',
    issuesLevel: 'text',
    mergeRequestsLevel: 'text',
    /** Id of the project that it is a fork of. */
    forkedFromId: 'integer?',
    /** `started` until the refs of a fork are there. */
    importStatus: 'text',
    repositoryStorage: 'text',
    repositorySize: 'integer',
    packagesSize: 'integer',
    /** Both together. */
    storageSize: 'integer',
    commitCount: 'integer',
    readmePath: 'text?',
    /** Id of the last event that moved a ref. */
    lastRefEvent: 'text?',
    starCount: 'integer',
    forksCount: 'integer',
    openIssues: 'integer',
    /** Open issues that are not confidential. */
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
    ['gone', 'packagesSize'],
    ['gone', 'storageSize'],
    ['namespaceId', 'nameLower'],
    ['namespaceId', 'createdAt'],
    ['ancestors'],
    ['topics'],
    ['deletionDueAt'],
    ['forkedFromId', 'createdAt'],
  ],
  search: ['name', 'path', 'description'],
  words: ['name', 'path', 'description'],
  madeWith: SERVED_VERSION,
});

export type ProjectDocument = DocumentOf<typeof projects>;

/** Parent groups of each group, to find all projects below one. */
export const projectGroups = defineCollection({
  name: 'project_groups',
  key: 'id',
  fields: { id: 'integer', ancestors: 'integer[]' },
  indexes: [['ancestors']],
  ownedBy: [endsWith(GroupDeleted, ({ groupId }) => eq('id', groupId))],
});

export const projectStars = defineCollection({
  name: 'project_stars',
  key: 'key',
  fields: {
    /** `<project id>-<user id>`. */
    key: 'text',
    projectId: 'integer',
    userId: 'integer',
    starredAt: 'text',
  },
  indexes: [['projectId', 'starredAt'], ['userId']],
  holds: { lifetime: projectStarLifetime },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(UserDeleted, ({ userId }) => eq('userId', userId)),
  ],
});

export type ProjectStarRow = DocumentOf<typeof projectStars>;

/** The issues that count as open. */
export const projectIssues = defineCollection({
  name: 'project_issues',
  key: 'id',
  fields: { id: 'integer', projectId: 'integer', open: 'boolean', confidential: 'boolean' },
  indexes: [['projectId']],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

/** The files of packages that count for the size of their project. */
export const projectPackageFiles = defineCollection({
  name: 'project_package_files',
  key: 'id',
  fields: { id: 'integer', packageId: 'integer', projectId: 'integer', size: 'integer' },
  indexes: [['packageId'], ['projectId']],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});
