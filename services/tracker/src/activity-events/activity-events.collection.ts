import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { NoteDeleted } from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import { IssueDeleted } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';
import { noteableKey } from '../discussions/noteable.access.ts';

export const activityEvents = defineCollection({
  name: 'activity_events',
  key: 'id',
  fields: {
    /** Counted up in the order of the log. */
    id: 'integer',
    action: 'text?',
    actionName: 'text?',
    authorId: 'integer?',
    projectId: 'integer?',
    area: 'text?',
    targetType: 'text?',
    targetId: 'integer?',
    targetIid: 'integer?',
    /** `noteableKey`, type and number of what it is about, null where that is nothing of the kind. */
    subject: 'text?',
    subjectType: 'text?',
    subjectIid: 'integer?',
    noteId: 'integer?',
    noteConfidential: 'boolean?',
    /** Whether it is for reporters, and for `readerIds`, only. */
    confidential: 'boolean?',
    readerIds: 'integer[]?',
    createdAt: 'text?',
    /** `PushData` of a push. */
    push: 'json?',
  },
  indexes: [['authorId', 'createdAt'], ['projectId', 'createdAt'], ['createdAt'], ['subject'], ['noteId']],
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(IssueDeleted, ({ issueId }) => eq('subject', noteableKey('Issue', issueId))),
    endsWith(NoteDeleted, ({ noteId }) => eq('noteId', noteId)),
    endsWith(UserDeleted, ({ userId }) => eq('authorId', userId)),
  ],
});

/** Who may read about a confidential issue or merge request: its author and its assignees. */
export const activitySubjects = defineCollection({
  name: 'activity_subjects',
  key: 'key',
  fields: {
    key: 'text',
    projectId: 'integer?',
    authorId: 'integer?',
    assigneeIds: 'integer[]?',
    confidential: 'boolean?',
  },
  indexes: [['projectId']],
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(IssueDeleted, ({ issueId }) => eq('key', noteableKey('Issue', issueId))),
  ],
});

/** One document: the last id given, and the position of the event that it was given to. */
export const activityNumbering = defineCollection({
  name: 'activity_numbering',
  key: 'name',
  fields: { name: 'text', lastId: 'integer?', position: 'text?' },
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
export type ActivitySubject = DocumentOf<typeof activitySubjects>;
