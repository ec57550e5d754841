import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { NoteDeleted } from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const activityEvents = defineCollection({
  name: 'activity_events',
  key: 'id',
  fields: {
    /** Counted up in the order of the log. */
    id: 'integer',
    action: 'text',
    actionName: 'text',
    authorId: 'integer',
    projectId: 'integer',
    area: 'text',
    targetType: 'text?',
    targetId: 'integer?',
    targetIid: 'integer?',
    /** `targetKey`, type and number of the target that it is about, null where it is about none. */
    subject: 'text?',
    subjectType: 'text?',
    subjectIid: 'integer?',
    noteId: 'integer?',
    noteConfidential: 'boolean',
    /** Whether it is for reporters, and for `readerIds`, only. */
    confidential: 'boolean',
    readerIds: 'integer[]',
    createdAt: 'text',
    /** `PushData` of a push. */
    push: 'json?',
  },
  indexes: [['authorId', 'createdAt'], ['projectId', 'createdAt'], ['createdAt'], ['subject'], ['noteId']],
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(NoteDeleted, ({ noteId }) => eq('noteId', noteId)),
    endsWith(UserDeleted, ({ userId }) => eq('authorId', userId)),
  ],
});

/** One document: the last id given, and the position of the event that it was given to. */
export const activityNumbering = defineCollection({
  name: 'activity_numbering',
  key: 'name',
  fields: { name: 'text', lastId: 'integer', position: 'text' },
  indexes: [],
});

/** Users who keep what they do to themselves. */
export const privateProfiles = defineCollection({
  name: 'activity_private_profiles',
  key: 'userId',
  fields: { userId: 'integer' },
  indexes: [],
  ownedBy: [endsWith(UserDeleted, ({ userId }) => eq('userId', userId))],
});

export type ActivityEventRow = DocumentOf<typeof activityEvents>;
