import {
  type DiscussionEvent,
  discussionEvents,
} from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { asc, eq } from '@forgelog/eventing/query.ts';
import type { TargetKind } from '../targets/target.ts';
import { endingWithTargets } from '../targets/target-readers.projection.ts';
import { targetKey } from '../targets/target-ref.ts';
import { MAX_NOTES } from './discussion.decider.ts';
import { discussions, type NoteRow, notes } from './discussions.collection.ts';

export const discussionsProjection = (kinds: readonly TargetKind[]) =>
  defineProjection<DiscussionEvent>({
    name: 'discussions',
    collections: [discussions, notes],
    handles: discussionEvents.map(({ type }) => type),
    endings: [discussions, notes].flatMap((collection) =>
      endingWithTargets(kinds, collection, (target) => eq('noteable', targetKey(target))),
    ),
    async project(event, documents) {
      switch (event.type) {
        case 'DiscussionStarted':
          documents.put(notes, addedNote(event.data, event.time, !event.data.individualNote));
          return summarise(documents, event.data, event.data.individualNote);
        case 'NoteAdded': {
          // An answer makes a thread of a note that stood alone.
          for (const note of await notesOf(documents, event.data.discussionId))
            if (!note.threaded) documents.put(notes, { ...note, threaded: true });
          documents.put(notes, addedNote(event.data, event.time, true));
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
        default:
          event satisfies never;
      }
    },
  });

function addedNote(
  data: Extract<DiscussionEvent, { type: 'DiscussionStarted' | 'NoteAdded' }>['data'],
  time: string,
  threaded: boolean,
): NoteRow {
  const { noteId: id, discussionId, projectId, noteableType, noteableId, noteableIid, authorId } = data;
  const createdAt = data.createdAt ?? time;
  return {
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
    createdAt,
    updatedAt: createdAt,
  };
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
  if (!first) return documents.delete(discussions, id);
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
  });
}
