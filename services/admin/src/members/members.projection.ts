import {
  GroupCreated,
  type GroupEvent,
  GroupMemberAdded,
  GroupMemberChanged,
  GroupMemberRemoved,
} from '@forgelog/contracts/admin/groups/group.events.ts';
import {
  type ProjectMemberEvent,
  projectMemberEvents,
} from '@forgelog/contracts/admin/members/project-member.events.ts';
import {
  UserActivated,
  UserBanned,
  UserBlocked,
  UserCreated,
  UserDeactivated,
  type UserEvent,
  UserUnbanned,
  UserUnblocked,
  UserUpdated,
} from '@forgelog/contracts/admin/users/user.events.ts';
import {
  ProjectCreated,
  type ProjectEvent,
  ProjectTransferred,
} from '@forgelog/contracts/repo/projects/project.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type MemberSource, memberIds, memberRowKey, members, memberUsers } from './members.collection.ts';

const OWNER = 50;
const MAINTAINER = 40;
const SHUTS_OUT: ReadonlySet<string> = new Set(['UserBlocked', 'UserDeactivated', 'UserBanned']);

type Handled =
  | Exclude<UserEvent, { type: 'UserDeleted' }>
  | Extract<GroupEvent, { type: 'GroupCreated' | `GroupMember${string}` }>
  | ProjectMemberEvent
  | Extract<ProjectEvent, { type: 'ProjectCreated' | 'ProjectTransferred' }>;

export const membersProjection = defineProjection<Handled>({
  name: 'members',
  collections: [members, memberUsers, memberIds],
  handles: [
    UserCreated.type,
    UserUpdated.type,
    UserBlocked.type,
    UserUnblocked.type,
    UserDeactivated.type,
    UserActivated.type,
    UserBanned.type,
    UserUnbanned.type,
    GroupCreated.type,
    GroupMemberAdded.type,
    GroupMemberChanged.type,
    GroupMemberRemoved.type,
    ...projectMemberEvents.map(({ type }) => type),
    ProjectCreated.type,
    ProjectTransferred.type,
  ],
  async project(event, documents) {
    const add = (source: MemberSource, sourceId: number, member: NewMember) =>
      addMember(documents, source, sourceId, member, event.time);
    switch (event.type) {
      case 'UserCreated': {
        const { userId: id, username, name, email, bot, profile } = event.data;
        const publicEmail = profile.public_email || null;
        return documents.put(memberUsers, {
          id,
          username,
          name,
          email,
          publicEmail,
          bot,
          blocked: false,
          createdAt: event.time,
        });
      }
      case 'UserUpdated':
        return updateUser(documents, event.data);
      case 'UserBlocked':
      case 'UserDeactivated':
      case 'UserBanned':
      case 'UserUnblocked':
      case 'UserActivated':
      case 'UserUnbanned': {
        const user = await documents.get(memberUsers, event.data.userId);
        if (user) documents.put(memberUsers, { ...user, blocked: SHUTS_OUT.has(event.type) });
        return;
      }
      case 'GroupCreated': {
        const { groupId, ownerId } = event.data;
        if (ownerId !== null) await add('group', groupId, permanent(ownerId, OWNER));
        return;
      }
      case 'GroupMemberAdded':
        return add('group', event.data.groupId, event.data);
      case 'GroupMemberChanged':
        return change(documents, memberRowKey('group', event.data.groupId, event.data.userId), event.data);
      case 'GroupMemberRemoved':
        return documents.delete(members, memberRowKey('group', event.data.groupId, event.data.userId));
      case 'ProjectCreated': {
        const { projectId, ownerId } = event.data;
        if (ownerId !== null) await add('project', projectId, permanent(ownerId, MAINTAINER));
        return;
      }
      case 'ProjectTransferred': {
        const { projectId, ownerId, previousOwnerId } = event.data;
        if (previousOwnerId !== null)
          await disown(documents, memberRowKey('project', projectId, previousOwnerId));
        if (ownerId === null) return;
        const member = await documents.get(members, memberRowKey('project', projectId, ownerId));
        if (!member) return add('project', projectId, permanent(ownerId, MAINTAINER));
        const { accessLevel: heldLevel, expiresAt: heldExpiresAt } = member;
        return documents.put(members, { ...member, ...OWNS, heldLevel, heldExpiresAt });
      }
      case 'ProjectMemberAdded':
        return add('project', event.data.projectId, event.data);
      case 'ProjectMemberChanged':
        return change(
          documents,
          memberRowKey('project', event.data.projectId, event.data.userId),
          event.data,
        );
      case 'ProjectMemberRemoved':
        return leaveProject(documents, memberRowKey('project', event.data.projectId, event.data.userId));
      default:
        event satisfies never;
    }
  },
});

interface NewMember {
  userId: number;
  accessLevel: number;
  expiresAt: string | null;
}

const permanent = (userId: number, accessLevel: number): NewMember => ({
  userId,
  accessLevel,
  expiresAt: null,
});

async function addMember(
  documents: ProjectionDocuments,
  source: MemberSource,
  sourceId: number,
  { userId, accessLevel, expiresAt }: NewMember,
  createdAt: string,
): Promise<void> {
  const user = await documents.get(memberUsers, userId);
  const counter = await documents.get(memberIds, 'members');
  const id = (counter?.last ?? 0) + 1;
  documents.put(memberIds, { counter: 'members', last: id });
  // Deleted meanwhile: nobody to show.
  if (!user) return;
  documents.put(members, {
    key: memberRowKey(source, sourceId, userId),
    id,
    source,
    sourceId,
    userId,
    accessLevel,
    expiresAt,
    createdAt,
    ...NOTHING_HELD,
    username: user.username,
    name: user.name,
    publicEmail: user.publicEmail,
  });
}

const OWNS = { accessLevel: MAINTAINER, expiresAt: null };
const NOTHING_HELD = { heldLevel: null, heldExpiresAt: null };

/** A project left the personal namespace of this member: a membership of their own counts again. */
async function disown(documents: ProjectionDocuments, key: string): Promise<void> {
  const member = await documents.get(members, key);
  if (!member || member.heldLevel === null) return documents.delete(members, key);
  const { heldLevel: accessLevel, heldExpiresAt: expiresAt } = member;
  documents.put(members, { ...member, accessLevel, expiresAt, ...NOTHING_HELD });
}

/** An owner stays in the list without the membership of before. */
async function leaveProject(documents: ProjectionDocuments, key: string): Promise<void> {
  const member = await documents.get(members, key);
  if (!member || member.heldLevel === null) return documents.delete(members, key);
  documents.put(members, { ...member, ...NOTHING_HELD });
}

async function change(
  documents: ProjectionDocuments,
  key: string,
  { accessLevel, expiresAt }: { accessLevel: number; expiresAt: string | null },
): Promise<void> {
  const member = await documents.get(members, key);
  if (member) documents.put(members, { ...member, accessLevel, expiresAt });
}

async function updateUser(
  documents: ProjectionDocuments,
  { userId, changes }: Extract<UserEvent, { type: 'UserUpdated' }>['data'],
): Promise<void> {
  const user = await documents.get(memberUsers, userId);
  if (!user) return;
  const { username = user.username, name = user.name, email = user.email, profile } = changes;
  const publicEmail = profile?.public_email === undefined ? user.publicEmail : profile.public_email || null;
  documents.put(memberUsers, { ...user, username, name, email, publicEmail });
  if (username === user.username && name === user.name && publicEmail === user.publicEmail) return;
  for (const row of await documents.findAll(members, eq('userId', userId)))
    documents.put(members, { ...row, username, name, publicEmail });
}
