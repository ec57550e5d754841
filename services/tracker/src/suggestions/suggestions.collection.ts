import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { NoteDeleted } from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

/** Other lines that notes on a diff propose. */
export const suggestions = defineCollection({
  name: 'suggestions',
  key: 'id',
  fields: {
    /** `suggestionId` */
    id: 'integer',
    noteId: 'integer',
    discussionId: 'text',
    /** `targetKey` of the target. */
    noteable: 'text',
    projectId: 'integer',
    /** Lines before and after the one that the note is on. */
    above: 'integer',
    below: 'integer',
    content: 'text',
    applied: 'boolean',
  },
  indexes: [['noteId', 'id'], ['noteable'], ['projectId']],
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(NoteDeleted, ({ noteId }) => eq('noteId', noteId)),
  ],
});

export type SuggestionRow = DocumentOf<typeof suggestions>;
