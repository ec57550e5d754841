import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import type { DomainEvent, EventOf } from '@forgelog/contracts/event.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  SnippetCreated,
  SnippetDeleted,
  SnippetUpdated,
} from '@forgelog/contracts/repo/snippets/snippet.events.ts';
import {
  DiscussionStarted,
  NoteAdded,
  NoteDeleted,
  NoteEdited,
} from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import { EpicDeleted, EpicOpened, EpicUpdated } from '@forgelog/contracts/tracker/epics/epic.events.ts';
import { defineProjection, type Recorded } from '@forgelog/eventing/define-projection.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';
import type { TargetKind } from '../targets/target.ts';
import { endingWithTargets, keepReaders, type TargetReaders } from '../targets/target-readers.projection.ts';
import { noteableKey, noteableOf, targetKey } from '../targets/target-ref.ts';

const withItsProject = [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))];
const withItsGroup = [endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId))];

/** What people wrote in the discussions of projects, and of epics, with who may read it: a search asks nothing else. */
export const noteTexts = defineCollection({
  name: 'note_texts',
  key: 'id',
  fields: {
    id: 'integer',
    /** One of both: epics are in groups. */
    projectId: 'integer?',
    groupId: 'integer?',
    /** `noteableKey` of what it is on. */
    noteable: 'text',
    targetType: 'text',
    /** Whether what it is on is confidential; the next are those who read that nevertheless. */
    confidential: 'boolean',
    readerIds: 'integer[]',
    /** Whether the note itself is for those alone who read what is confidential there. */
    internal: 'boolean',
    /** That of the snippet that it is on; null for anything else. */
    visibility: 'text?',
    authorId: 'integer',
    text: 'text',
    createdAt: 'text',
  },
  indexes: [['noteable'], ['projectId', 'createdAt'], ['groupId', 'createdAt'], ['createdAt']],
  words: ['text'],
  ownedBy: [...withItsProject, ...withItsGroup],
});

type NoteText = DocumentOf<typeof noteTexts>;

/** Visibilities of the snippets of projects, which notes on them follow. */
const snippetsOfNotes = defineCollection({
  name: 'note_text_snippets',
  key: 'id',
  fields: { id: 'integer', projectId: 'integer', visibility: 'text' },
  indexes: [['projectId']],
  ownedBy: withItsProject,
});

/** Readers of epics, which those of notes on them follow. */
const epicsOfNotes = defineCollection({
  name: 'note_text_epics',
  key: 'id',
  fields: { id: 'integer', groupId: 'integer', confidential: 'boolean', authorId: 'integer' },
  indexes: [['groupId']],
  ownedBy: withItsGroup,
});

const handled = [
  ...[DiscussionStarted, NoteAdded, NoteEdited, NoteDeleted],
  ...[SnippetCreated, SnippetUpdated, SnippetDeleted],
  ...[EpicOpened, EpicUpdated, EpicDeleted],
] as const;
const handledTypes = new Set<string>(handled.map(({ type }) => type));

type Handled = EventOf<(typeof handled)[number]>;
type Written = EventOf<typeof DiscussionStarted | typeof NoteAdded>['data'];

const isHandled = (event: RecordedEvent): event is Recorded<Handled> => handledTypes.has(event.type);
const onSnippet = (id: number) => eq('noteable', targetKey({ type: 'Snippet', id }));
const onEpic = (id: number) => eq('noteable', targetKey({ type: 'Epic', id }));

export function noteTextsProjection(kinds: readonly TargetKind[]) {
  const targets = keepReaders('note_text_targets', kinds);
  return defineProjection<DomainEvent>({
    name: 'note-texts',
    collections: [noteTexts, targets.collection, snippetsOfNotes, epicsOfNotes],
    handles: [...new Set([...handledTypes, ...targets.handles])],
    endings: [
      ...targets.endings,
      ...endingWithTargets(kinds, noteTexts, (target) => eq('noteable', targetKey(target))),
      {
        ...{ collection: noteTexts, event: SnippetDeleted.type },
        owned: (data) => onSnippet((data as EventOf<typeof SnippetDeleted>['data']).snippetId),
      },
      {
        ...{ collection: noteTexts, event: EpicDeleted.type },
        owned: (data) => onEpic((data as EventOf<typeof EpicDeleted>['data']).epicId),
      },
    ],
    async project(event, documents) {
      const changed = await targets.project(event, documents);
      if (changed)
        for (const note of await documents.findAll(noteTexts, eq('noteable', targetKey(changed.target))))
          documents.put(noteTexts, { ...note, ...guardedBy(changed.readers) });
      if (isHandled(event)) await keep(event, documents, targets);
    },
  });
}

async function keep(
  event: Recorded<Handled>,
  documents: ProjectionDocuments,
  targets: ReturnType<typeof keepReaders>,
): Promise<void> {
  switch (event.type) {
    case 'DiscussionStarted':
    case 'NoteAdded': {
      const { system, projectId, groupId, noteableType, noteableId } = event.data;
      if (system) return;
      const noteable = noteableKey(noteableOf(event.data));
      const snippet =
        noteableType === 'Snippet' ? await documents.get(snippetsOfNotes, noteableId!) : undefined;
      const readers =
        noteableType === 'Epic'
          ? readersOf(await documents.get(epicsOfNotes, noteableId!))
          : await targets.of(documents, noteable);
      return documents.put(noteTexts, {
        ...textOf(event.data, event.time),
        ...{ projectId, groupId, noteable, visibility: snippet?.visibility ?? null },
        ...guardedBy(readers),
      });
    }
    case 'NoteEdited': {
      const note = await documents.get(noteTexts, event.data.noteId);
      if (!note) return;
      const { body: text = note.text, confidential: internal = note.internal } = event.data.changes;
      return documents.put(noteTexts, { ...note, text, internal });
    }
    case 'NoteDeleted':
      return documents.delete(noteTexts, event.data.noteId);
    case 'SnippetCreated': {
      const { snippetId: id, projectId, visibility } = event.data;
      // Personal ones are not discussed.
      if (projectId !== null) documents.put(snippetsOfNotes, { id, projectId, visibility });
      return;
    }
    case 'SnippetUpdated': {
      const { snippetId: id, projectId, changes } = event.data;
      const { visibility } = changes;
      if (projectId === null || !visibility) return;
      documents.put(snippetsOfNotes, { id, projectId, visibility });
      for (const note of await documents.findAll(noteTexts, onSnippet(id)))
        documents.put(noteTexts, { ...note, visibility });
      return;
    }
    case 'SnippetDeleted':
      return documents.delete(snippetsOfNotes, event.data.snippetId);
    case 'EpicOpened': {
      const { epicId: id, groupId, confidential, authorId } = event.data;
      return documents.put(epicsOfNotes, { id, groupId, confidential, authorId });
    }
    case 'EpicUpdated': {
      const epic = await documents.get(epicsOfNotes, event.data.epicId);
      const { confidential } = event.data.changes;
      if (!epic || confidential === undefined) return;
      documents.put(epicsOfNotes, { ...epic, confidential });
      for (const note of await documents.findAll(noteTexts, onEpic(epic.id)))
        documents.put(noteTexts, { ...note, confidential });
      return;
    }
    case 'EpicDeleted':
      return documents.delete(epicsOfNotes, event.data.epicId);
    default:
      event satisfies never;
  }
}

const textOf = (
  { noteId: id, noteableType: targetType, authorId, body: text, confidential: internal, createdAt }: Written,
  time: string,
): Pick<NoteText, 'id' | 'targetType' | 'authorId' | 'text' | 'internal' | 'createdAt'> => ({
  ...{ id, targetType, authorId, text, internal, createdAt: createdAt ?? time },
});

type Readers = Pick<TargetReaders, 'confidential' | 'authorId' | 'assigneeIds'>;

const readersOf = (epic: DocumentOf<typeof epicsOfNotes> | undefined): Readers | undefined =>
  epic && { confidential: epic.confidential, authorId: epic.authorId, assigneeIds: [] };

const guardedBy = (readers: Readers | undefined): Pick<NoteText, 'confidential' | 'readerIds'> => ({
  confidential: readers?.confidential ?? false,
  readerIds: readers ? [readers.authorId, ...readers.assigneeIds] : [],
});
