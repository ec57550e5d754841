import { ProjectDeleted, type ProjectEvent } from '@forgelog/contracts/repo/project.events.ts';
import {
  IssueDeleted,
  type IssueEvent,
  IssueOpened,
  IssueUpdated,
} from '@forgelog/contracts/tracker/issue.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection } from '@forgelog/eventing/read-store.ts';

/** What can be discussed, with what decides on who may read and write about it. */
export const noteables = defineCollection({
  name: 'noteables',
  key: 'key',
  fields: {
    /** `<type>-<global id>`. */
    key: 'text',
    type: 'text',
    id: 'integer',
    projectId: 'integer',
    iid: 'integer',
    title: 'text',
    authorId: 'integer',
    assigneeIds: 'integer[]',
    confidential: 'boolean',
    discussionLocked: 'boolean',
  },
  indexes: [['projectId', 'type', 'iid']],
});

export type NoteableRow = DocumentOf<typeof noteables>;
export type NoteableType = 'Issue' | 'MergeRequest';
export const noteableKey = (type: NoteableType, id: number) => `${type}-${id}`;

type Handled =
  | Extract<IssueEvent, { type: 'IssueOpened' | 'IssueUpdated' | 'IssueDeleted' }>
  | Extract<ProjectEvent, { type: 'ProjectDeleted' }>;

export const noteablesProjection = defineProjection<Handled>({
  name: 'noteables',
  collections: [noteables],
  handles: [IssueOpened.type, IssueUpdated.type, IssueDeleted.type, ProjectDeleted.type],
  async project(event, documents) {
    switch (event.type) {
      case 'IssueOpened': {
        const { issueId: id, projectId, iid, title, authorId, assigneeIds, confidential } = event.data;
        return documents.put(noteables, {
          key: noteableKey('Issue', id),
          type: 'Issue',
          id,
          projectId,
          iid,
          title,
          authorId,
          assigneeIds,
          confidential,
          discussionLocked: false,
        });
      }
      case 'IssueUpdated': {
        const row = await documents.get(noteables, noteableKey('Issue', event.data.issueId));
        if (!row) return;
        const { title, assigneeIds, confidential, discussionLocked } = event.data.changes;
        return documents.put(noteables, {
          ...row,
          title: title ?? row.title,
          assigneeIds: assigneeIds ?? row.assigneeIds,
          confidential: confidential ?? row.confidential,
          discussionLocked: discussionLocked ?? row.discussionLocked,
        });
      }
      case 'IssueDeleted':
        return documents.delete(noteables, noteableKey('Issue', event.data.issueId));
      case 'ProjectDeleted': {
        const where = eq('projectId', event.data.projectId);
        for (const { key } of await documents.find(noteables, { where, limit: 1_000_000 }))
          documents.delete(noteables, key);
        return;
      }
      default:
        event satisfies never;
    }
  },
});
