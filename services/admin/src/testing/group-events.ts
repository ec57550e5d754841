import type { GroupEvent } from '@forgelog/contracts/admin/groups/group.events.ts';
import type { ProjectEvent } from '@forgelog/contracts/repo/projects/project.events.ts';
import { on, type StreamedEvent } from '@forgelog/testing/sample-events.ts';

type Created = Extract<GroupEvent, { type: 'GroupCreated' }>;
type Updated = Extract<GroupEvent, { type: 'GroupUpdated' }>;
type ProjectCreated = Extract<ProjectEvent, { type: 'ProjectCreated' }>;

/** A private group of user 1, its owner, at the top. Its name and path are `group` and its id. */
export function groupCreated(groupId: number, more: Partial<Created['data']> = {}): Created {
  const path = more.path ?? `group${groupId}`;
  return {
    type: 'GroupCreated',
    data: {
      ...{ groupId, parentId: null, name: path, path, fullPath: path, description: '' },
      ...{ visibility: 'private', creatorId: 1, settings: {} },
      ownerId: more.creatorId === undefined ? 1 : more.creatorId,
      ...more,
    },
  };
}

export const groupUpdated = (groupId: number, changes: Updated['data']['changes']): Updated => ({
  type: 'GroupUpdated',
  data: { groupId, changes, previous: null },
});

export const groupMemberAdded = (
  groupId: number,
  userId: number,
  accessLevel: number,
  expiresAt: string | null = null,
): GroupEvent => ({
  type: 'GroupMemberAdded',
  data: { groupId, userId, accessLevel, expiresAt, reason: 'added' },
});

/** In the stream of its group. */
export const inGroup = (event: GroupEvent): StreamedEvent => on(`group-${event.data.groupId}`, event);

/** A project whose namespace is this group. */
export function projectInGroup(
  projectId: number,
  groupId: number,
  visibility: ProjectCreated['data']['visibility'] = 'private',
): StreamedEvent {
  const path = `project${projectId}`;
  return on(`project-${projectId}`, {
    type: 'ProjectCreated',
    data: {
      ...{ projectId, namespaceId: groupId, ownerId: null, creatorId: 1, name: path, path },
      ...{ fullPath: `group${groupId}/${path}`, description: null, visibility, defaultBranch: null },
      ...{ storage: 'default', settings: {} },
    },
  });
}
