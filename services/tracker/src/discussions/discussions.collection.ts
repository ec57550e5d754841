import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
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
    /** `noteableKey` of what it is on; of a mention `namedKey`. */
    noteable: 'text',
    /** One of both is there. */
    projectId: 'integer?',
    groupId: 'integer?',
    noteableType: 'text',
    /** Both null for a commit, and for a mention. */
    noteableId: 'integer?',
    noteableIid: 'integer?',
    authorId: 'integer',
    text: 'text',
    /** Whether it belongs to a thread, or stands alone. */
    threaded: 'boolean',
    system: 'boolean',
    /** What a note of the system tells: null for one of a person, which has nothing of what follows. */
    told: 'text?',
    addedIds: 'integer[]',
    removedIds: 'integer[]',
    /** `sourceKey` of what it names: it is for those who may see that. */
    source: 'text?',
    confidential: 'boolean',
    /** Whether it is part of a thread that can be resolved. */
    resolvable: 'boolean',
    /** Both null while the thread is open. */
    resolvedById: 'integer?',
    resolvedAt: 'text?',
    /** Whether it is on a line or point of a diff: then `positions` has its discussion. */
    onDiff: 'boolean',
    commitId: 'text?',
    /** How often its text was changed. */
    edits: 'integer',
    createdAt: 'text',
    updatedAt: 'text',
  },
  indexes: [
    ['noteable', 'createdAt'],
    ['noteable', 'updatedAt'],
    ['noteable', 'source'],
    ['source'],
    ['discussionId', 'createdAt'],
    ['projectId'],
    ['groupId'],
  ],
  holds: { lifetime: noteLifetime, where: eq('system', false) },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

export const discussions = defineCollection({
  name: 'discussions',
  key: 'id',
  fields: {
    id: 'text',
    noteable: 'text',
    /** One of both is there. */
    projectId: 'integer?',
    groupId: 'integer?',
    individualNote: 'boolean',
    /** Whether its one note is of the system. */
    system: 'boolean',
    /** That of its note. */
    source: 'text?',
    /** Time of the earliest note, by which discussions are listed; then the id of the first one. */
    createdAt: 'text',
    firstNoteId: 'integer',
    /** Whether everybody who sees the target may read one of its notes. */
    open: 'boolean',
    /** Users who may read it because they wrote a confidential note in it. */
    confidentialAuthorIds: 'integer[]',
    /** A thread that waits for its resolution. */
    unresolved: 'boolean',
  },
  indexes: [['noteable', 'createdAt', 'firstNoteId'], ['projectId'], ['groupId'], ['source']],
  holds: { lifetime: discussionLifetime, where: eq('system', false) },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
  ],
});

/** Where in a diff discussions are, as they began. The fields are those of the event. */
export const positions = defineCollection({
  name: 'positions',
  key: 'discussionId',
  fields: {
    discussionId: 'text',
    noteable: 'text',
    projectId: 'integer',
    kind: 'text',
    baseSha: 'text',
    startSha: 'text',
    headSha: 'text',
    oldPath: 'text',
    newPath: 'text',
    oldLine: 'integer?',
    newLine: 'integer?',
    startLineCode: 'text?',
    startKind: 'text?',
    startOldLine: 'integer?',
    startNewLine: 'integer?',
    endLineCode: 'text?',
    endKind: 'text?',
    endOldLine: 'integer?',
    endNewLine: 'integer?',
    hasRange: 'boolean',
    x: 'integer?',
    y: 'integer?',
    width: 'integer?',
    height: 'integer?',
  },
  indexes: [['noteable'], ['projectId']],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export type PositionRow = DocumentOf<typeof positions>;
export type NoteRow = DocumentOf<typeof notes>;
export type DiscussionRow = DocumentOf<typeof discussions>;
