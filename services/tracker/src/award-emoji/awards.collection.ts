import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { awardLifetime } from '@forgelog/contracts/tracker/award-emoji/award-emoji.lifetime.ts';
import { NoteDeleted } from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const awards = defineCollection({
  name: 'awards',
  key: 'id',
  fields: {
    id: 'integer',
    /** `targetKey` of the target. */
    target: 'text',
    targetType: 'text',
    projectId: 'integer',
    noteId: 'integer?',
    authorId: 'integer',
    name: 'text',
    awardableId: 'integer',
    awardableType: 'text',
    createdAt: 'text',
  },
  indexes: [['target', 'noteId', 'id'], ['noteId'], ['authorId', 'targetType', 'name'], ['projectId']],
  holds: { lifetime: awardLifetime },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(NoteDeleted, ({ noteId }) => eq('noteId', noteId)),
  ],
});

export type AwardRow = DocumentOf<typeof awards>;
