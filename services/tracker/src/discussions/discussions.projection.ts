import type { EventDefinition, EventOf } from '@forgelog/contracts/event.ts';
import type { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { SnippetDeleted } from '@forgelog/contracts/repo/snippets/snippet.events.ts';
import {
  type DiscussionEvent,
  discussionEvents,
} from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import { EpicDeleted } from '@forgelog/contracts/tracker/epics/epic.events.ts';
import { type DiscussedType, hasResolvableThreads } from '@forgelog/contracts/tracker/targets/target.ts';
import { defineProjection, type Ending } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { asc, eq } from '@forgelog/eventing/query.ts';
import type { AnyCollection } from '@forgelog/eventing/read-store.ts';
import { markApplied, putSuggestions } from '../suggestions/suggestion-rows.ts';
import { suggestions } from '../suggestions/suggestions.collection.ts';
import { mergeRequestSources } from '../system-notes/merge-request-sources.projection.ts';
import { noteChanges, systemNoteEvents } from '../system-notes/system-notes.projection.ts';
import type { TargetKind } from '../targets/target.ts';
import { endingWithTargets } from '../targets/target-readers.projection.ts';
import { noteableKey, noteableOf, targetKey } from '../targets/target-ref.ts';
import { MAX_NOTES } from './discussion.decider.ts';
import { discussions, type NoteRow, notes, positions } from './discussions.collection.ts';
import { positionRow } from './position-row.ts';

type Handled = DiscussionEvent | EventOf<typeof RefUpdated>;

const noting = new Set(systemNoteEvents);
const HANDLED = [...discussionEvents.map(({ type }) => type), ...systemNoteEvents] as Handled['type'][];

export const discussionsProjection = (kinds: readonly TargetKind[]) =>
  defineProjection<Handled>({
    name: 'discussions',
    collections: [discussions, notes, positions, suggestions, mergeRequestSources],
    handles: HANDLED,
    endings: [discussions, notes, positions, suggestions].flatMap((collection) => [
      ...endingWithTargets(kinds, collection, (target) => eq('noteable', targetKey(target))),
      endingWithRecord(collection, SnippetDeleted, ({ snippetId: id }) => ({ type: 'Snippet', id })),
      endingWithRecord(collection, EpicDeleted, ({ epicId: id }) => ({ type: 'Epic', id })),
    ]),
    async project(event, documents) {
      if (noting.has(event.type)) await noteChanges(event, documents);
      switch (event.type) {
        case 'RefUpdated':
          // The move of the branch is what applies suggestions.
          return markApplied(documents, event.data.suggestionIds ?? []);
        case 'DiscussionStarted': {
          const { position, commitId, individualNote } = event.data;
          const added = addedNote(event.data, event.time, !individualNote);
          const note = { ...added, onDiff: position !== null, commitId: commitId ?? added.commitId };
          documents.put(notes, note);
          if (position !== null) {
            documents.put(positions, positionRow(event.data, position));
            await putSuggestions(documents, note, position);
          }
          return summarise(documents, event.data, individualNote);
        }
        case 'NoteAdded': {
          const within = await notesOf(documents, event.data.discussionId);
          // An answer makes a thread of a note that stood alone.
          for (const note of within)
            if (!note.threaded) documents.put(notes, inThread({ ...note, threaded: true }));
          const note = { ...addedNote(event.data, event.time, true), ...whatThreadsShare(within) };
          documents.put(notes, note);
          await putSuggestions(documents, note, await documents.get(positions, note.discussionId));
          return summarise(documents, event.data, false);
        }
        case 'NoteEdited': {
          const note = await documents.get(notes, event.data.noteId);
          if (!note) return;
          const { body, confidential = note.confidential } = event.data.changes;
          const edits = body === undefined ? note.edits : note.edits + 1;
          const edited = { ...note, text: body ?? note.text, confidential, edits, updatedAt: event.time };
          documents.put(notes, edited);
          if (body !== undefined)
            await putSuggestions(documents, edited, await documents.get(positions, note.discussionId));
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
      }
    },
  });

/** For what is discussed without being a target. */
const endingWithRecord = <D extends EventDefinition>(
  collection: AnyCollection,
  { type }: D,
  recordOf: (data: EventOf<D>['data']) => Parameters<typeof targetKey>[0],
): Ending => ({
  collection,
  event: type,
  owned: (data) => eq('noteable', targetKey(recordOf(data as EventOf<D>['data']))),
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
  resolvable: note.threaded && !note.system && hasResolvableThreads(note.noteableType as DiscussedType),
});

function addedNote(
  data: Extract<DiscussionEvent, { type: 'DiscussionStarted' | 'NoteAdded' }>['data'],
  time: string,
  threaded: boolean,
): NoteRow {
  const {
    noteId: id,
    discussionId,
    projectId,
    groupId,
    noteableType,
    noteableId,
    noteableIid,
    authorId,
  } = data;
  const createdAt = data.createdAt ?? time;
  return inThread({
    id,
    discussionId,
    noteable: noteableKey(noteableOf(data)),
    projectId,
    groupId,
    noteableType,
    noteableId,
    noteableIid,
    authorId,
    text: data.body,
    threaded,
    system: data.system,
    ...{ told: null, addedIds: [], removedIds: [], source: null },
    confidential: data.confidential,
    resolvable: false,
    onDiff: false,
    commitId: data.noteableSha,
    edits: 0,
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
  data: DiscussionEvent['data'],
  individualNote: boolean,
): Promise<void> {
  const { discussionId: id, projectId, groupId } = data;
  const within = await notesOf(documents, id);
  const [first] = within;
  if (!first) {
    documents.delete(positions, id);
    return documents.delete(discussions, id);
  }
  const confidential = within.filter((note) => note.confidential);
  documents.put(discussions, {
    id,
    noteable: noteableKey(noteableOf(data)),
    projectId,
    groupId,
    individualNote,
    ...{ system: first.system, source: null },
    createdAt: first.createdAt,
    firstNoteId: first.id,
    open: confidential.length < within.length,
    confidentialAuthorIds: [...new Set(confidential.map(({ authorId }) => authorId))],
    unresolved: first.resolvable && first.resolvedAt === null,
  });
}
