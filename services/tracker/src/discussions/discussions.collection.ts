import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  discussionLifetime,
  noteLifetime,
} from '@forgelog/contracts/tracker/discussions/discussion.lifetime.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const notes = defineCollection({
  name: 'notes',
  key: 'id',
  fields: {
    id: 'integer',
    discussionId: 'text',
    /** `targetKey` of the target. */
    noteable: 'text',
    projectId: 'integer',
    noteableType: 'text',
    noteableId: 'integer',
    noteableIid: 'integer',
    authorId: 'integer',
    text: 'text',
    /** Whether it belongs to a thread, or stands alone. */
    threaded: 'boolean',
    system: 'boolean',
    confidential: 'boolean',
    createdAt: 'text',
    updatedAt: 'text',
  },
  indexes: [
    ['noteable', 'createdAt'],
    ['noteable', 'updatedAt'],
    ['discussionId', 'createdAt'],
    ['projectId'],
  ],
  holds: { lifetime: noteLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export const discussions = defineCollection({
  name: 'discussions',
  key: 'id',
  fields: {
    id: 'text',
    noteable: 'text',
    projectId: 'integer',
    individualNote: 'boolean',
    /** Time of the earliest note, by which discussions are listed; then the id of the first one. */
    createdAt: 'text',
    firstNoteId: 'integer',
    /** Whether everybody who sees the target may read one of its notes. */
    open: 'boolean',
    /** Users who may read it because they wrote a confidential note in it. */
    confidentialAuthorIds: 'integer[]',
  },
  indexes: [['noteable', 'createdAt', 'firstNoteId'], ['projectId']],
  holds: { lifetime: discussionLifetime },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type NoteRow = DocumentOf<typeof notes>;
export type DiscussionRow = DocumentOf<typeof discussions>;
