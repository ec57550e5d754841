import type { DomainEvent } from '@forgelog/contracts/event.ts';

/** An event with the stream that it belongs to. */
export interface StreamedEvent {
  stream: string;
  event: DomainEvent;
}

export const on = (stream: string, event: DomainEvent): StreamedEvent => ({ stream, event });

/** A user, whose personal namespace has the id 1,000 above theirs. */
export function userCreated(
  userId: number,
  more: { admin?: boolean; external?: boolean } = {},
): StreamedEvent {
  return on(`user-${userId}`, {
    type: 'UserCreated',
    data: {
      userId,
      namespaceId: 1000 + userId,
      username: `user${userId}`,
      name: `User ${userId}`,
      email: `user${userId}@example.org`,
      admin: false,
      external: false,
      bot: false,
      passwordHash: null,
      confirmed: true,
      identities: [],
      profile: {},
      ...more,
    },
  });
}

/** A project in the personal namespace of its owner. */
export function projectCreated(
  projectId: number,
  {
    ownerId = 1,
    visibility = 'private' as 'private' | 'internal' | 'public',
    settings = {},
    storage = 'default',
  } = {},
): StreamedEvent {
  const path = `project${projectId}`;
  return on(`project-${projectId}`, {
    type: 'ProjectCreated',
    data: {
      projectId,
      namespaceId: 1000 + ownerId,
      ownerId,
      creatorId: ownerId,
      name: path,
      path,
      fullPath: `user${ownerId}/${path}`,
      description: null,
      visibility,
      defaultBranch: null,
      storage,
      settings,
      forkedFromProjectId: null,
      forkedAtRevision: null,
    },
  });
}

export function projectDeleted(projectId: number, ownerId = 1): StreamedEvent {
  const fullPath = `user${ownerId}/project${projectId}`;
  return on(`project-${projectId}`, {
    type: 'ProjectDeleted',
    data: { projectId, namespaceId: 1000 + ownerId, fullPath, storage: 'default' },
  });
}

export function memberAdded(projectId: number, userId: number, accessLevel: number): StreamedEvent {
  return on(`projectMember-${projectId}`, {
    type: 'ProjectMemberAdded',
    data: { projectId, userId, accessLevel, expiresAt: null },
  });
}

/** A group without members: `groupMemberAdded` makes them. */
export function groupCreated(
  groupId: number,
  {
    parentId = null as number | null,
    visibility = 'private' as 'private' | 'internal' | 'public',
    fullPath = `group${groupId}`,
  } = {},
): StreamedEvent {
  const path = `group${groupId}`;
  return on(`group-${groupId}`, {
    type: 'GroupCreated',
    data: {
      ...{ groupId, parentId, name: path, path, description: '', visibility, fullPath },
      ...{ creatorId: null, ownerId: null, settings: {} },
    },
  });
}

export function groupMemberAdded(groupId: number, userId: number, accessLevel: number): StreamedEvent {
  return on(`group-${groupId}`, {
    type: 'GroupMemberAdded',
    data: { groupId, userId, accessLevel, expiresAt: null, reason: 'added' },
  });
}
