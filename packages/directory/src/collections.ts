import { groupGroupLinkLifetime } from '@forgelog/contracts/admin/group-group-links/group-group-link.lifetime.ts';
import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { projectGroupLinkLifetime } from '@forgelog/contracts/admin/project-group-links/project-group-link.lifetime.ts';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { and, eq, or } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

/** The public view of users. Deleted users remain as ghosts. */
export const directoryUsers = defineCollection({
  name: 'directory_users',
  key: 'id',
  fields: {
    id: 'integer',
    namespaceId: 'integer',
    username: 'text',
    /** Null once deleted. */
    usernameLower: 'text?',
    name: 'text',
    email: 'text?',
    emailLower: 'text?',
    state: 'text',
    admin: 'boolean',
    external: 'boolean',
    /** Maximum number of personal projects; null for the instance's default. */
    projectsLimit: 'integer?',
    avatarUrl: 'text?',
    /** Whether mail may go to the address, and whether the account is of a program. */
    emailConfirmed: 'boolean',
    bot: 'boolean',
    privateProfile: 'boolean',
  },
  indexes: [['usernameLower'], ['emailLower'], ['namespaceId']],
});

/** Further addresses that are known to be their user's. */
export const directoryEmails = defineCollection({
  name: 'directory_emails',
  key: 'id',
  fields: { id: 'integer', userId: 'integer', emailLower: 'text', confirmed: 'boolean' },
  indexes: [['emailLower'], ['userId']],
  ownedBy: [endsWith(UserDeleted, ({ userId }) => eq('userId', userId))],
});

export type DirectoryEmail = DocumentOf<typeof directoryEmails>;

/** Namespaces of groups and users; `ancestors` includes the namespace itself. */
export const directoryNamespaces = defineCollection({
  name: 'directory_namespaces',
  key: 'id',
  fields: {
    id: 'integer',
    kind: 'text',
    parentId: 'integer?',
    ownerId: 'integer?',
    name: 'text',
    path: 'text',
    fullName: 'text',
    fullPath: 'text',
    fullPathLower: 'text',
    visibility: 'text',
    /** Address of the avatar, without the host. */
    avatarUrl: 'text?',
    /** The least role that may create projects: noone, maintainer or developer. */
    projectCreationLevel: 'text?',
    /** The protection of default branches in a group, 0 to 3; null where nobody ever set it. */
    defaultBranchProtection: 'integer?',
    /** What a group says of shared runners; null where nobody ever said anything. */
    sharedRunnersSetting: 'text?',
    /** When a marked group will be deleted. */
    deletionDueAt: 'text?',
    ancestors: 'integer[]',
  },
  indexes: [['fullPathLower'], ['parentId'], ['ancestors'], ['kind', 'visibility'], ['deletionDueAt']],
  search: ['fullName', 'fullPath'],
});

export const directoryProjects = defineCollection({
  name: 'directory_projects',
  key: 'id',
  fields: {
    id: 'integer',
    namespaceId: 'integer',
    ownerId: 'integer?',
    creatorId: 'integer?',
    name: 'text',
    path: 'text',
    fullName: 'text',
    fullPath: 'text',
    fullPathLower: 'text',
    visibility: 'text',
    archived: 'boolean',
    /** When it will be deleted, if it is marked by itself. */
    deletionDueAt: 'text?',
    defaultBranch: 'text?',
    storage: 'text',
    /** Whether users may ask for access. */
    requestAccessEnabled: 'boolean',
    forkedFromId: 'integer?',
    /** Feature → access level. */
    features: 'json',
    /** `<feature>:<access level>` for each feature that is not open to all who see the project. */
    restricted: 'text[]',
    /** Namespace ids. */
    ancestors: 'integer[]',
  },
  indexes: [
    ['fullPathLower'],
    ['namespaceId'],
    ['ancestors'],
    ['visibility'],
    ['ownerId'],
    ['archived'],
    ['deletionDueAt'],
    ['restricted'],
  ],
  // The features that its documents tell of.
  madeWith: 'packages',
});

/** Former full paths of projects, for redirects. */
export const directoryFormerPaths = defineCollection({
  name: 'directory_former_paths',
  key: 'fullPathLower',
  fields: { fullPathLower: 'text', projectId: 'integer' },
  indexes: [['projectId']],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

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
    expiresAt: 'text?',
    createdAt: 'text',
    invitedBy: 'integer?',
  },
  indexes: [['userId'], ['source', 'sourceId', 'userId']],
  ownedBy: [
    endsWith(GroupDeleted, ({ groupId }) => and(eq('source', 'group'), eq('sourceId', groupId))),
    endsWith(ProjectDeleted, ({ projectId }) => and(eq('source', 'project'), eq('sourceId', projectId))),
    endsWith(UserDeleted, ({ userId }) => eq('userId', userId)),
  ],
});

/** Groups that projects are shared with. */
export const directoryProjectLinks = defineCollection({
  name: 'directory_project_links',
  key: 'key',
  fields: {
    key: 'text',
    projectId: 'integer',
    groupId: 'integer',
    accessLevel: 'integer',
    expiresAt: 'text?',
  },
  indexes: [['projectId'], ['groupId']],
  holds: { lifetime: projectGroupLinkLifetime },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

/** Groups that groups are shared with. */
export const directoryGroupLinks = defineCollection({
  name: 'directory_group_links',
  key: 'key',
  fields: {
    key: 'text',
    groupId: 'integer',
    sharedWithGroupId: 'integer',
    accessLevel: 'integer',
    expiresAt: 'text?',
  },
  indexes: [['groupId'], ['sharedWithGroupId']],
  holds: { lifetime: groupGroupLinkLifetime },
  ownedBy: [
    endsWith(GroupDeleted, ({ groupId }) => or(eq('groupId', groupId), eq('sharedWithGroupId', groupId))),
  ],
});

/** Merge requests of forks, for who may push to their source branches. */
export const directoryForkRequests = defineCollection({
  name: 'directory_fork_requests',
  key: 'mergeRequestId',
  fields: {
    mergeRequestId: 'integer',
    projectId: 'integer',
    targetBranch: 'text',
    sourceProjectId: 'integer',
    sourceBranch: 'text',
    allowsCollaboration: 'boolean',
    open: 'boolean',
  },
  indexes: [['sourceProjectId'], ['projectId']],
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) =>
      or(eq('projectId', projectId), eq('sourceProjectId', projectId)),
    ),
  ],
});

/** Tokens that register runners and were made anew. */
export const directoryRunnersTokens = defineCollection({
  name: 'directory_runners_tokens',
  key: 'place',
  fields: {
    /** `<kind>-<id>` */
    place: 'text',
    projectId: 'integer?',
    groupId: 'integer?',
    resets: 'integer',
  },
  indexes: [['projectId'], ['groupId']],
  ownedBy: [
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
  ],
});

export type DirectoryUser = DocumentOf<typeof directoryUsers>;
export type DirectoryNamespace = DocumentOf<typeof directoryNamespaces>;
export type DirectoryProject = DocumentOf<typeof directoryProjects>;
export type DirectoryForkRequest = DocumentOf<typeof directoryForkRequests>;
export type DirectoryMember = DocumentOf<typeof directoryMembers>;

export const memberKey = (source: 'group' | 'project', sourceId: number, userId: number) =>
  `${source}-${sourceId}-${userId}`;
