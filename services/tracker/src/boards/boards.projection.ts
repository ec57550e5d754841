import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { type BoardEvent, boardEvents } from '@forgelog/contracts/tracker/boards/board.events.ts';
import { boardLifetime } from '@forgelog/contracts/tracker/boards/board.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const boards = defineCollection({
  name: 'boards',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer?',
    groupId: 'integer?',
    name: 'text',
    hideBacklogList: 'boolean',
    hideClosedList: 'boolean',
    /** What its issues have in common. */
    milestoneId: 'integer?',
    assigneeId: 'integer?',
    scopeLabelIds: 'integer[]',
    weight: 'integer?',
    /** Its lists from left to right, what each is of, and the id of that. */
    listIds: 'integer[]',
    listKinds: 'text[]',
    listOfIds: 'integer[]',
  },
  indexes: [
    ['projectId', 'name'],
    ['groupId', 'name'],
  ],
  holds: { lifetime: boardLifetime },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

export type BoardRow = DocumentOf<typeof boards>;

const NO_SCOPE = { milestoneId: null, assigneeId: null, scopeLabelIds: [], weight: null };

type Lists = Extract<BoardEvent, { type: 'BoardCreated' }>['data']['lists'];

const columns = (lists: Lists) => ({
  listIds: lists.map(({ listId }) => listId),
  listKinds: lists.map(({ kind }) => kind),
  listOfIds: lists.map(({ ofId }) => ofId),
});

export const boardsProjection = defineProjection<BoardEvent>({
  name: 'boards',
  collections: [boards],
  handles: boardEvents.map(({ type }) => type),
  async project(event, documents) {
    const { boardId: id } = event.data;
    switch (event.type) {
      case 'BoardCreated': {
        const { boardId: _, lists, ...board } = event.data;
        return documents.put(boards, { id, ...board, ...NO_SCOPE, ...columns(lists) });
      }
      case 'BoardUpdated': {
        const row = await documents.get(boards, id);
        if (!row) return;
        const { lists, ...changes } = event.data.changes;
        return documents.put(boards, { ...row, ...changes, ...(lists && columns(lists)) });
      }
      case 'BoardScoped': {
        const row = await documents.get(boards, id);
        return row && documents.put(boards, { ...row, ...event.data.changes });
      }
      case 'BoardDeleted':
        return documents.delete(boards, id);
      default:
        event satisfies never;
    }
  },
});
