import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import {
  type DiscussionEvent,
  discussionEvents,
} from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import { type EpicEvent, epicEvents } from '@forgelog/contracts/tracker/epics/epic.events.ts';
import { epicLifetime } from '@forgelog/contracts/tracker/epics/epic.lifetime.ts';
import { defineProjection, type Recorded } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { eq, range } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';
import { placeOf, placesOf } from '@forgelog/service-kit/project-place.ts';
import { withNote } from '../discussions/note-counts.ts';
import { placeOfNumber } from '../issues/manual-order.ts';

export const epics = defineCollection({
  name: 'epics',
  key: 'place',
  fields: {
    /** `placeOf` group and number. */
    place: 'integer',
    id: 'integer',
    groupId: 'integer',
    iid: 'integer',
    authorId: 'integer',
    /** Users who wrote a comment. */
    participantIds: 'integer[]',
    labelIds: 'integer[]',
    /** The epic that it is a part of, also where that is gone, and its place among the parts there. */
    parentId: 'integer?',
    parentRank: 'text?',
    state: 'text',
    confidential: 'boolean',
    title: 'text',
    description: 'text?',
    startDate: 'text?',
    startDateIsFixed: 'boolean',
    dueDate: 'text?',
    dueDateIsFixed: 'boolean',
    createdAt: 'text',
    updatedAt: 'text',
    closedAt: 'text?',
    /** Comments, without what the system notes. */
    notesCount: 'integer',
  },
  indexes: [
    ['id'],
    ['groupId', 'createdAt'],
    ['groupId', 'updatedAt'],
    ['groupId', 'title'],
    ['labelIds'],
    ['parentId', 'parentRank'],
  ],
  search: ['title', 'description'],
  holds: { lifetime: epicLifetime },
  ownedBy: [endsWith(GroupDeleted, ({ groupId }) => range('place', placesOf(groupId)))],
});

export type EpicRow = DocumentOf<typeof epics>;

export const epicsProjection = defineProjection<EpicEvent | DiscussionEvent>({
  name: 'epics',
  collections: [epics],
  handles: [...epicEvents, ...discussionEvents].map(({ type }) => type),
  async project(event, documents) {
    switch (event.type) {
      case 'EpicOpened':
        return documents.put(epics, opened(event));
      case 'EpicUpdated':
      case 'EpicClosed':
      case 'EpicReopened':
      case 'EpicNested':
      case 'EpicDeleted':
        return change(event, documents);
      default: {
        const [row] = await documents.find(epics, { where: eq('id', noted(event)), limit: 1 });
        const after = row && withNote(row, event);
        if (after) documents.put(epics, after);
      }
    }
  },
});

/** The id of the epic that an event is about, and of none where it is about something else. */
const noted = ({ data: { noteableType, noteableId } }: Recorded<DiscussionEvent>): number =>
  noteableType === 'Epic' && noteableId !== null ? noteableId : 0;

function opened({ data, time }: Recorded<Extract<EpicEvent, { type: 'EpicOpened' }>>): EpicRow {
  const { epicId: id, groupId, iid, labels: _titles, createdAt, ...rest } = data;
  return {
    place: placeOf(groupId, iid)!,
    ...{ id, groupId, iid, ...rest },
    participantIds: [],
    parentId: null,
    parentRank: null,
    state: 'opened',
    createdAt: createdAt ?? time,
    updatedAt: time,
    closedAt: null,
    notesCount: 0,
  };
}

async function change(
  event: Recorded<Exclude<EpicEvent, { type: 'EpicOpened' }>>,
  documents: ProjectionDocuments,
): Promise<void> {
  const { groupId, iid } = event.data;
  const row = await documents.get(epics, placeOf(groupId, iid)!);
  if (!row) return;
  const updatedAt = event.time;
  switch (event.type) {
    case 'EpicUpdated': {
      const { labels: _titles, ...changes } = event.data.changes;
      return documents.put(epics, { ...row, ...changes, updatedAt: event.data.updatedAt ?? updatedAt });
    }
    case 'EpicClosed':
      return documents.put(epics, { ...row, state: 'closed', closedAt: updatedAt, updatedAt });
    case 'EpicReopened':
      return documents.put(epics, { ...row, state: 'opened', closedAt: null, updatedAt });
    case 'EpicNested': {
      const { parentId = row.parentId, parentPosition } = event.data.changes;
      if (parentId === null) return documents.put(epics, { ...row, parentId, parentRank: null, updatedAt });
      const kept = parentId === row.parentId ? row.parentRank : null;
      const given = parentPosition === undefined ? kept : parentPosition;
      return documents.put(epics, {
        ...row,
        parentId,
        parentRank: given ?? placeOfNumber(row.id),
        updatedAt,
      });
    }
    case 'EpicDeleted':
      return documents.delete(epics, row.place);
    default:
      event satisfies never;
  }
}
