import { PROJECT_ARCHIVED } from '@forgelog/contracts/repo/projects/project.events.ts';
import type { Forgelog } from '../support/forgelog.ts';
import { type Inhabitant, record } from '../support/inhabitants.ts';

/** Groups and their projects straight from their events; ids far from those of other fixtures. */
let nextId = 5000;

export interface Place {
  id: number;
  fullPath: string;
}

type Visibility = 'private' | 'internal' | 'public';

export async function settleGroup(
  forgelog: Forgelog,
  path: string,
  options: { parent?: Place; visibility?: Visibility } = {},
): Promise<Place> {
  const id = nextId++;
  const fullPath = options.parent ? `${options.parent.fullPath}/${path}` : path;
  await record(forgelog, `group-${id}`, 1, {
    type: 'GroupCreated',
    data: {
      groupId: id,
      parentId: options.parent?.id ?? null,
      name: path,
      path,
      fullPath,
      description: '',
      visibility: options.visibility ?? 'private',
      creatorId: null,
      settings: {},
    },
  });
  return { id, fullPath };
}

export async function settleGroupProject(
  forgelog: Forgelog,
  group: Place,
  path: string,
  options: { visibility?: Visibility; settings?: Record<string, unknown> } = {},
): Promise<Place> {
  const id = nextId++;
  const fullPath = `${group.fullPath}/${path}`;
  await record(forgelog, `project-${id}`, 1, {
    type: 'ProjectCreated',
    data: {
      projectId: id,
      namespaceId: group.id,
      ownerId: null,
      creatorId: 1,
      name: path,
      path,
      fullPath,
      description: null,
      visibility: options.visibility ?? 'private',
      defaultBranch: null,
      settings: options.settings ?? {},
    },
  });
  return { id, fullPath };
}

export async function settleGroupMember(
  forgelog: Forgelog,
  group: Place,
  user: Inhabitant,
  accessLevel: number,
): Promise<void> {
  await record(forgelog, `group-${group.id}`, 1, {
    type: 'GroupMemberAdded',
    data: { groupId: group.id, userId: user.id, accessLevel, expiresAt: null },
  });
}

export async function archive(forgelog: Forgelog, projectId: number): Promise<void> {
  await record(forgelog, `project-${projectId}`, 1, {
    type: 'ProjectArchived',
    data: { projectId, ...PROJECT_ARCHIVED },
  });
}
