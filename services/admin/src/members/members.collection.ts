import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export type MemberSource = 'group' | 'project';

/**
 * Direct memberships with the fields that member lists search. The owner of a personal namespace also has one in each
 * of their projects: they appear as a maintainer [L118] but act as an owner.
 */
export const members = defineCollection({
  name: 'members',
  key: 'key',
  fields: {
    /** `<source>-<source id>-<user id>`. */
    key: 'text',
    /** Counts in log order. */
    id: 'integer',
    source: 'text',
    sourceId: 'integer',
    userId: 'integer',
    accessLevel: 'integer',
    /** `YYYY-MM-DD`, the first day without access. */
    expiresAt: 'text?',
    createdAt: 'text',
    /** The membership of an owner of the personal namespace, who is listed as an owner meanwhile. */
    heldLevel: 'integer?',
    heldExpiresAt: 'text?',
    username: 'text',
    name: 'text',
    publicEmail: 'text?',
  },
  indexes: [['source', 'sourceId', 'userId'], ['userId']],
  search: ['username', 'name'],
  ownedBy: [
    endsWith(GroupDeleted, ({ groupId }) => and(eq('source', 'group'), eq('sourceId', groupId))),
    endsWith(ProjectDeleted, ({ projectId }) => and(eq('source', 'project'), eq('sourceId', projectId))),
    endsWith(UserDeleted, ({ userId }) => eq('userId', userId)),
  ],
});

/** User fields that member rows copy, and fields for billing. */
export const memberUsers = defineCollection({
  name: 'member_users',
  key: 'id',
  fields: {
    id: 'integer',
    username: 'text',
    name: 'text',
    email: 'text',
    publicEmail: 'text?',
    bot: 'boolean',
    blocked: 'boolean',
    createdAt: 'text',
  },
  indexes: [],
  ownedBy: [endsWith(UserDeleted, ({ userId }) => eq('id', userId))],
});

export const memberIds = defineCollection({
  name: 'member_ids',
  key: 'counter',
  fields: { counter: 'text', last: 'integer' },
  indexes: [],
});

export type MemberRow = DocumentOf<typeof members>;
export type MemberUser = DocumentOf<typeof memberUsers>;

export const memberRowKey = (source: MemberSource, sourceId: number, userId: number) =>
  `${source}-${sourceId}-${userId}`;
