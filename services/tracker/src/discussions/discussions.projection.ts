import {
  type DiscussionEvent,
  discussionEvents,
} from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import { hasResolvableThreads, type TargetType } from '@forgelog/contracts/tracker/targets/target.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { asc, eq } from '@forgelog/eventing/query.ts';
import type { TargetKind } from '../targets/target.ts';
import { endingWithTargets } from '../targets/target-readers.projection.ts';
import { targetKey } from '../targets/target-ref.ts';
import { MAX_NOTES } from './discussion.decider.ts';
import { discussions, type NoteRow, notes, positions } from './discussions.collection.ts';
import { positionRow } from './position-row.ts';

export const discussionsProjection = (kinds: readonly TargetKind[]) =>
  defineProjection<DiscussionEvent>({
    name: 'discussions',
    collections: [discussions, notes, positions],
    handles: discussionEvents.map(({ type }) => type),
    endings: [discussions, notes, positions].flatMap((collection) =>
      endingWithTargets(kinds, collection, (target) => eq('noteable', targetKey(target))),
    ),
    async project(event, documents) {
      switch (event.type) {
        case 'DiscussionStarted':
          documents.put(notes, {
            ...addedNote(event.data, event.time, !event.data.individualNote),
            onDiff: event.data.position !== null,
            commitId: event.data.commitId,
          });
          if (event.data.position !== null)
            documents.put(positions, positionRow(event.data, event.data.position));
          return summarise(documents, event.data, event.data.individualNote);
        case 'NoteAdded': {
          const within = await notesOf(documents, event.data.discussionId);
          // An answer makes a thread of a note that stood alone.
          for (const note of within)
            if (!note.threaded) documents.put(notes, inThread({ ...note, threaded: true }));
          documents.put(notes, { ...addedNote(event.data, event.time, true), ...whatThreadsShare(within) });
          return summarise(documents, event.data, false);
        }
        case 'NoteEdited': {
          const note = await documents.get(notes, event.data.noteId);
          if (!note) return;
          const { body: text = note.text, confidential = note.confidential } = event.data.changes;
          documents.put(notes, { ...note, text, confidential, updatedAt: event.time });
          return summarise(documents, event.data, !note.threaded);
        }
        case 'NoteDeleted': {
          const note = await documents.get(notes, event.data.noteId);
          documents.delete(notes, event.data.noteId);
          return summarise(documents, event.data, note ? !note.threaded : false);
        }
        case 'DiscussionResolved':
        case 'DiscussionUnresolved': {
          const resolution =
            event.type === 'DiscussionResolved'
              ? { resolvedById: event.data.resolvedById, resolvedAt: event.time }
              : UNRESOLVED;
          for (const note of await notesOf(documents, event.data.discussionId))
            documents.put(notes, { ...note, ...resolution });
          return summarise(documents, event.data, false);
        }
        default:
          event satisfies never;
      }
    },
  });

const UNRESOLVED = { resolvedById: null, resolvedAt: null };

/** A reply is where the thread is, and resolved with it. */
function whatThreadsShare([first]: readonly NoteRow[]) {
  if (!first) return {};
  const { resolvedById, resolvedAt, onDiff, commitId } = first;
  return { resolvedById, resolvedAt, onDiff, commitId };
}

const inThread = (note: NoteRow): NoteRow => ({
  ...note,
  resolvable: note.threaded && !note.system && hasResolvableThreads(note.noteableType as TargetType),
});

function addedNote(
  data: Extract<DiscussionEvent, { type: 'DiscussionStarted' | 'NoteAdded' }>['data'],
  time: string,
  threaded: boolean,
): NoteRow {
  const { noteId: id, discussionId, projectId, noteableType, noteableId, noteableIid, authorId } = data;
  const createdAt = data.createdAt ?? time;
  return inThread({
    id,
    discussionId,
    noteable: targetKey({ type: noteableType, id: noteableId }),
    projectId,
    noteableType,
    noteableId,
    noteableIid,
    authorId,
    text: data.body,
    threaded,
    system: data.system,
    confidential: data.confidential,
    resolvable: false,
    onDiff: false,
    commitId: null,
    ...UNRESOLVED,
    createdAt,
    updatedAt: createdAt,
  });
}

const notesOf = (documents: ProjectionDocuments, discussionId: string) =>
  documents.find(notes, {
    where: eq('discussionId', discussionId),
    sort: [asc('createdAt')],
    limit: MAX_NOTES,
  });

/** What a discussion shows of its notes; without notes there is none. */
async function summarise(
  documents: ProjectionDocuments,
  { discussionId: id, projectId, noteableType, noteableId }: DiscussionEvent['data'],
  individualNote: boolean,
): Promise<void> {
  const within = await notesOf(documents, id);
  const [first] = within;
  if (!first) {
    documents.delete(positions, id);
    return documents.delete(discussions, id);
  }
  const confidential = within.filter((note) => note.confidential);
  documents.put(discussions, {
    id,
    noteable: targetKey({ type: noteableType, id: noteableId }),
    projectId,
    individualNote,
    createdAt: first.createdAt,
    firstNoteId: first.id,
    open: confidential.length < within.length,
    confidentialAuthorIds: [...new Set(confidential.map(({ authorId }) => authorId))],
    unresolved: first.resolvable && first.resolvedAt === null,
  });
}
