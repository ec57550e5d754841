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
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { type DocumentOf, defineCollection } from '@forgelog/eventing/read-store.ts';
import { type MemberSource, memberRowKey } from './members.collection.ts';

/** Memberships without an event that ends them yet, though their owner may be deleted or their day may have come. */
export const openMemberships = defineCollection({
  name: 'open_memberships',
  key: 'key',
  fields: {
    key: 'text',
    source: 'text',
    sourceId: 'integer',
    userId: 'integer',
    expiresAt: 'text?',
  },
  indexes: [['userId'], ['source', 'sourceId'], ['expiresAt']],
});

export type OpenMembership = DocumentOf<typeof openMemberships>;

type Handled = Extract<GroupEvent, { type: 'GroupCreated' | `GroupMember${string}` }> | ProjectMemberEvent;

export const openMembershipsProjection = defineProjection<Handled>({
  name: 'open-memberships',
  collections: [openMemberships],
  handles: [
    ...[GroupCreated, GroupMemberAdded, GroupMemberChanged, GroupMemberRemoved].map(({ type }) => type),
    ...projectMemberEvents.map(({ type }) => type),
  ],
  async project(event, documents) {
    switch (event.type) {
      case 'GroupCreated': {
        const { groupId, ownerId } = event.data;
        if (ownerId !== null) open(documents, 'group', groupId, { userId: ownerId, expiresAt: null });
        return;
      }
      case 'GroupMemberAdded':
      case 'GroupMemberChanged':
        return open(documents, 'group', event.data.groupId, event.data);
      case 'ProjectMemberAdded':
      case 'ProjectMemberChanged':
        return open(documents, 'project', event.data.projectId, event.data);
      case 'GroupMemberRemoved':
        return close(documents, 'group', event.data.groupId, event.data.userId);
      case 'ProjectMemberRemoved':
        return close(documents, 'project', event.data.projectId, event.data.userId);
      default:
        event satisfies never;
    }
  },
});

function open(
  documents: ProjectionDocuments,
  source: MemberSource,
  sourceId: number,
  { userId, expiresAt }: { userId: number; expiresAt: string | null },
): void {
  const key = memberRowKey(source, sourceId, userId);
  documents.put(openMemberships, { key, source, sourceId, userId, expiresAt });
}

const close = (documents: ProjectionDocuments, source: MemberSource, sourceId: number, userId: number) =>
  documents.delete(openMemberships, memberRowKey(source, sourceId, userId));
