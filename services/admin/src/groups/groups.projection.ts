import {
  GROUP_SETTING_DEFAULTS,
  type GroupEvent,
  type GroupSettings,
  groupEvents,
} from '@forgelog/contracts/admin/groups/group.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { fold, has } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection } from '@forgelog/eventing/read-store.ts';
import { lowerOf, type Visibility } from './group.access.ts';

export const groups = defineCollection({
  name: 'groups',
  key: 'id',
  fields: {
    id: 'integer',
    parentId: 'integer?',
    /** From the top; the group itself is last. */
    ancestors: 'integer[]',
    name: 'text',
    nameFolded: 'text',
    path: 'text',
    pathLower: 'text',
    description: 'text',
    visibility: 'text',
    /** Only explicit settings; others have their default. */
    settings: 'json',
    subgroupCreationLevel: 'text',
    /** Whether its projects cannot be shared with other groups. */
    sharingLocked: 'boolean',
    /** Without the host. */
    avatarUrl: 'text?',
    sharedRunnersSetting: 'text',
    /** A parent group is deleted: readers no longer see this group, and a policy will delete it. */
    orphaned: 'boolean',
    /** Direct members, including deleted users until they are removed. */
    memberIds: 'integer[]',
    /** When it will be deleted, and the day on which it was marked for that; null unless it is marked by itself. */
    deletionDueAt: 'text?',
    markedOn: 'text?',
    createdAt: 'text',
  },
  indexes: [
    ['nameFolded'],
    ['pathLower'],
    ['parentId', 'nameFolded'],
    ['ancestors'],
    ['memberIds'],
    ['visibility'],
    ['deletionDueAt'],
  ],
  search: ['name', 'path'],
});

export type GroupRow = DocumentOf<typeof groups>;

export const groupsProjection = defineProjection<GroupEvent>({
  name: 'groups',
  collections: [groups],
  handles: groupEvents.map(({ type }) => type),
  async project(event, documents) {
    const { groupId: id } = event.data;
    if (event.type === 'GroupCreated') {
      const { parentId, name, path, description, visibility, ownerId, settings } = event.data;
      const parent = parentId === null ? undefined : await documents.get(groups, parentId);
      return documents.put(
        groups,
        complete({
          ...{ id, parentId, name, path, description, visibility, settings },
          ancestors: [...(parent?.ancestors ?? (parentId === null ? [] : [parentId])), id],
          orphaned: parentId !== null && (parent === undefined || parent.orphaned === true),
          memberIds: ownerId === null ? [] : [ownerId],
          deletionDueAt: null,
          markedOn: null,
          createdAt: event.time,
        }),
      );
    }
    const row = await documents.get(groups, id);
    if (!row) return;
    switch (event.type) {
      case 'GroupUpdated': {
        const { settings, ...changes } = event.data.changes;
        const all = { ...(row.settings as Partial<GroupSettings>), ...settings };
        return documents.put(groups, complete({ ...row, ...changes, settings: all }));
      }
      case 'GroupTransferred':
        return transfer(documents, row, event.data.changes);
      case 'GroupDeletionScheduled':
      case 'GroupDeletionCancelled': {
        const { deletionDueAt = null } = event.data.changes;
        const markedOn = deletionDueAt === null ? null : event.time.slice(0, 10);
        return documents.put(groups, { ...row, deletionDueAt, markedOn });
      }
      case 'GroupDeleted':
        return deleteWithBelow(documents, id);
      case 'GroupMemberAdded': {
        const others = row.memberIds.filter((userId) => userId !== event.data.userId);
        return documents.put(groups, { ...row, memberIds: [...others, event.data.userId] });
      }
      case 'GroupMemberRemoved': {
        const memberIds = row.memberIds.filter((userId) => userId !== event.data.userId);
        return documents.put(groups, { ...row, memberIds });
      }
      case 'GroupMemberChanged':
        return;
      default:
        event satisfies never;
    }
  },
});

/** What is below moves along, and is no more open than the group has become. */
async function transfer(
  documents: ProjectionDocuments,
  group: GroupRow,
  { parentId, visibility = 'public' }: { parentId?: number | null; visibility?: Visibility },
): Promise<void> {
  // The group above it was deleted before it left.
  if (group.orphaned || parentId === undefined) return;
  const parent = parentId === null ? undefined : await documents.get(groups, parentId);
  const orphaned = parentId !== null && (parent === undefined || parent.orphaned);
  const above = parent?.ancestors ?? (parentId === null ? [] : [parentId]);
  const depth = group.ancestors.length - 1;
  for (const row of await documents.findAll(groups, has('ancestors', group.id)))
    documents.put(groups, {
      ...row,
      parentId: row.id === group.id ? parentId : row.parentId,
      ancestors: [...above, ...row.ancestors.slice(depth)],
      visibility: lowerOf(row.visibility as Visibility, visibility),
      orphaned: row.orphaned || orphaned,
    });
}

/** Groups in a deleted group stay hidden until their own deletion. */
async function deleteWithBelow(documents: ProjectionDocuments, groupId: number): Promise<void> {
  for (const row of await documents.findAll(groups, has('ancestors', groupId)))
    if (row.id !== groupId) documents.put(groups, { ...row, orphaned: true });
  documents.delete(groups, groupId);
}

type Described = Pick<
  GroupRow,
  | 'id'
  | 'parentId'
  | 'ancestors'
  | 'name'
  | 'path'
  | 'description'
  | 'visibility'
  | 'settings'
  | 'orphaned'
  | 'memberIds'
  | 'deletionDueAt'
  | 'markedOn'
  | 'createdAt'
>;

function complete(row: Described): GroupRow {
  const settings: GroupSettings = { ...GROUP_SETTING_DEFAULTS, ...(row.settings as Partial<GroupSettings>) };
  return {
    ...row,
    nameFolded: fold(row.name),
    pathLower: row.path.toLowerCase(),
    subgroupCreationLevel: settings.subgroup_creation_level,
    sharingLocked: settings.share_with_group_lock,
    avatarUrl: settings.avatar_url,
    sharedRunnersSetting: settings.shared_runners_setting,
  };
}
