import { GroupDeleted } from '@forgelog/contracts/admin/group.events.ts';
import { UserDeleted } from '@forgelog/contracts/admin/user.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/project.events.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

/** Who is who: the public view of users, as every service shows it. Deleted users stay, as ghosts. */
export const directoryUsers = defineCollection({
  name: 'directory_users',
  key: 'id',
  fields: {
    id: 'integer',
    namespaceId: 'integer',
    username: 'text',
    usernameLower: 'text',
    name: 'text',
    email: 'text',
    state: 'text',
    admin: 'boolean',
    external: 'boolean',
    /** How many personal projects he may have, null for the instance's default. */
    projectsLimit: 'integer',
    /** Ready JSON of the public view. */
    body: 'text',
  },
  indexes: [['usernameLower'], ['namespaceId']],
});

/** What is where: namespaces of groups and users, with their full path and their ancestors (themselves included). */
export const directoryNamespaces = defineCollection({
  name: 'directory_namespaces',
  key: 'id',
  fields: {
    id: 'integer',
    kind: 'text',
    parentId: 'integer',
    ownerId: 'integer',
    name: 'text',
    path: 'text',
    fullName: 'text',
    fullPath: 'text',
    fullPathLower: 'text',
    visibility: 'text',
    /** Least role that may create projects in a group: noone, maintainer or developer. */
    projectCreationLevel: 'text',
    ancestors: 'integer[]',
  },
  indexes: [['fullPathLower'], ['parentId'], ['ancestors'], ['kind', 'visibility']],
  search: ['fullName', 'fullPath'],
});

export const directoryProjects = defineCollection({
  name: 'directory_projects',
  key: 'id',
  fields: {
    id: 'integer',
    namespaceId: 'integer',
    ownerId: 'integer',
    creatorId: 'integer',
    name: 'text',
    path: 'text',
    fullName: 'text',
    fullPath: 'text',
    fullPathLower: 'text',
    visibility: 'text',
    archived: 'boolean',
    defaultBranch: 'text',
    /** Name of the storage that holds the repository. */
    storage: 'text',
    /** Feature → access level. */
    features: 'json',
    /** `<feature>:<access level>` for each feature that is not open to everyone who sees the project. */
    restricted: 'text[]',
    /** Ids of the namespaces above it. */
    ancestors: 'integer[]',
  },
  indexes: [
    ['fullPathLower'],
    ['namespaceId'],
    ['ancestors'],
    ['visibility'],
    ['ownerId'],
    ['archived'],
    ['restricted'],
  ],
});

/** Full paths that projects had once: their old addresses lead on to where they are now. */
export const directoryFormerPaths = defineCollection({
  name: 'directory_former_paths',
  key: 'fullPathLower',
  fields: { fullPathLower: 'text', projectId: 'integer' },
  indexes: [['projectId']],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

/** Who may what: direct memberships. */
export const directoryMembers = defineCollection({
  name: 'directory_members',
  key: 'key',
  fields: {
    /** `<source>-<source id>-<user id>`. */
    key: 'text',
    source: 'text',
    sourceId: 'integer',
    userId: 'integer',
    accessLevel: 'integer',
    expiresAt: 'text',
    createdAt: 'text',
    invitedBy: 'integer',
  },
  indexes: [['userId'], ['source', 'sourceId', 'userId']],
  ownedBy: [
    endsWith(GroupDeleted, ({ groupId }) => and(eq('source', 'group'), eq('sourceId', groupId))),
    endsWith(ProjectDeleted, ({ projectId }) => and(eq('source', 'project'), eq('sourceId', projectId))),
    endsWith(UserDeleted, ({ userId }) => eq('userId', userId)),
  ],
});

export type DirectoryUser = DocumentOf<typeof directoryUsers>;
export type DirectoryNamespace = DocumentOf<typeof directoryNamespaces>;
export type DirectoryProject = DocumentOf<typeof directoryProjects>;
export type DirectoryMember = DocumentOf<typeof directoryMembers>;

export const memberKey = (source: 'group' | 'project', sourceId: number, userId: number) =>
  `${source}-${sourceId}-${userId}`;
