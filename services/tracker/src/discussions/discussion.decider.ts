import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  type DiscussionEvent,
  THREAD_RESOLVED,
  THREAD_UNRESOLVED,
} from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import type { Position } from '@forgelog/contracts/tracker/discussions/position.fields.ts';
import { hasResolvableThreads } from '@forgelog/contracts/tracker/targets/target.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { type Noteable, noteableFields, noteableKey, noteableOf } from '../targets/target-ref.ts';

interface Note {
  authorId: number;
  body: string;
  confidential: boolean;
  system: boolean;
}

interface OpenDiscussion {
  status: 'open';
  on: Noteable;
  /** By id, in the order in which they were added. */
  notes: ReadonlyMap<number, Note>;
  threaded: boolean;
  resolved: boolean;
}

export type DiscussionState = { status: 'absent' } | OpenDiscussion | { status: 'deleted' };

interface NewNote {
  noteId: number;
  authorId: number;
  body: string;
  /** ISO 8601 where the author may set it and did. */
  createdAt: string | null;
}

export interface CopiedNote extends NewNote {
  confidential: boolean;
}

/** The caller who changes a note: its author may, and moderators of the project. */
interface Editor {
  noteId: number;
  editorId: number;
  isModerator: boolean;
}

/** The target is there, and the caller may see it. */
type On = { discussionId: string; on: Noteable };
export type DiscussionCommand =
  | ({
      type: 'StartDiscussion';
      individualNote: boolean;
      confidential: boolean;
      system: boolean;
      position: Position | null;
      commitId: string | null;
    } & On &
      NewNote)
  | ({ type: 'CopyDiscussion'; individualNote: boolean; notes: readonly CopiedNote[] } & On)
  | ({ type: 'AddNote' } & On & NewNote)
  /** undefined leaves what is there. */
  | ({ type: 'EditNote'; body?: string; confidential?: boolean } & On & Editor)
  | ({ type: 'DeleteNote' } & On & Editor)
  /** The author of the target may, and developers. */
  | ({ type: 'ResolveDiscussion'; resolved: boolean; userId: number; mayResolve: boolean } & On);

export const discussionStream = (discussionId: string) => `discussion-${discussionId}`;

/** A discussion is read as one answer, so that it has to end somewhere. */
export const MAX_NOTES = 1000;
const MAX_LENGTH = 1_000_000;

export const discussionDecider: Decider<DiscussionState, DiscussionCommand, DiscussionEvent> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { discussionId } = command;
    const on = noteableFields(command.on);
    if (command.type === 'StartDiscussion') {
      if (state.status !== 'absent') throw new Rejection('conflict', {});
      const { noteId, individualNote, authorId, body, createdAt, confidential, system } = command;
      requireBody(body, 'create');
      const note = { noteId, authorId, body, createdAt, confidential, system };
      const { position, commitId } = command;
      return [
        {
          type: 'DiscussionStarted',
          data: { discussionId, ...on, individualNote, ...note, position, commitId },
        },
      ];
    }
    if (command.type === 'CopyDiscussion') {
      if (state.status !== 'absent') throw new Rejection('conflict', {});
      return copied(command, on);
    }
    if (state.status !== 'open' || noteableKey(state.on) !== noteableKey(command.on))
      throw new Rejection('not_found', { what: 'Discussion' });
    switch (command.type) {
      case 'AddNote': {
        const { noteId, authorId, body, createdAt } = command;
        requireBody(body, 'create');
        if (state.notes.size >= MAX_NOTES) {
          throw new Rejection('bad_request', {
            reason: 'Note {:base=>["Maximum number of comments exceeded"]}',
          });
        }
        const [first] = state.notes.values();
        // The answer to what only some may read is for the same readers.
        const { confidential } = first!;
        const note = { noteId, authorId, body, createdAt, confidential, system: false };
        const beginsThread = !state.threaded;
        return [{ type: 'NoteAdded', data: { discussionId, ...on, ...note, beginsThread } }];
      }
      case 'EditNote': {
        const note = editable(state.notes, command);
        if (command.body !== undefined) requireBody(command.body, 'save');
        const { noteId, body, confidential } = command;
        const change = changesFrom(note, { body, confidential });
        return change === null
          ? []
          : [{ type: 'NoteEdited', data: { discussionId, ...on, noteId, ...change } }];
      }
      case 'DeleteNote': {
        const { confidential, system } = editable(state.notes, command);
        const { noteId } = command;
        const last = state.notes.size === 1;
        const endsOpenThread = last && isOpenThread(state, system);
        return [
          {
            type: 'NoteDeleted',
            data: { discussionId, ...on, noteId, confidential, system, last, endsOpenThread },
          },
        ];
      }
      case 'ResolveDiscussion': {
        const { resolved, userId, mayResolve } = command;
        if (!mayResolve || !state.threaded || !hasResolvableThreads(state.on.type))
          throw new Rejection('forbidden', {});
        if (resolved === state.resolved) return [];
        const data = { discussionId, ...on };
        if (!resolved) return [{ type: 'DiscussionUnresolved', data: { ...data, ...THREAD_UNRESOLVED } }];
        return [{ type: 'DiscussionResolved', data: { ...data, resolvedById: userId, ...THREAD_RESOLVED } }];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'DiscussionStarted': {
        const { noteId, individualNote } = event.data;
        const on = noteableOf(event.data);
        const notes = new Map([[noteId, noteOf(event.data)]]);
        return { status: 'open', on, notes, threaded: !individualNote, resolved: false };
      }
      case 'NoteAdded':
        return changed(threaded(state), (notes) => notes.set(event.data.noteId, noteOf(event.data)));
      case 'NoteEdited':
        return changed(state, (notes) => {
          const { noteId, changes } = event.data;
          const note = notes.get(noteId);
          if (note) notes.set(noteId, { ...note, ...changes });
        });
      case 'NoteDeleted':
        if (event.data.last) return { status: 'deleted' };
        return changed(state, (notes) => notes.delete(event.data.noteId));
      case 'DiscussionResolved':
      case 'DiscussionUnresolved':
        return state.status === 'open' ? { ...state, resolved: event.data.changes.resolved } : state;
      default:
        event satisfies never;
        return state;
    }
  },
};

/** A discussion of another target with its notes, in one append. */
function copied(
  { discussionId, individualNote, notes }: Extract<DiscussionCommand, { type: 'CopyDiscussion' }>,
  on: ReturnType<typeof noteableFields>,
): DiscussionEvent[] {
  const stands = { system: false, ...on, discussionId };
  return notes.map((note, at) =>
    at === 0
      ? {
          type: 'DiscussionStarted',
          data: { ...stands, ...note, individualNote, position: null, commitId: null },
        }
      : { type: 'NoteAdded', data: { ...stands, ...note, beginsThread: false } },
  );
}

const isOpenThread = ({ on, threaded, resolved }: OpenDiscussion, system: boolean): boolean =>
  threaded && !resolved && !system && hasResolvableThreads(on.type);

const threaded = (state: DiscussionState): DiscussionState =>
  state.status === 'open' ? { ...state, threaded: true } : state;

const noteOf = ({ authorId, body, confidential, system }: Note): Note => ({
  authorId,
  body,
  confidential,
  system,
});

function changed(state: DiscussionState, change: (notes: Map<number, Note>) => void): DiscussionState {
  if (state.status !== 'open') return state;
  const notes = new Map(state.notes);
  change(notes);
  return { ...state, notes };
}

/** The note, if this editor may change it; nobody edits what the system wrote. */
function editable(notes: ReadonlyMap<number, Note>, { noteId, editorId, isModerator }: Editor): Note {
  const note = notes.get(noteId);
  if (!note) throw new Rejection('record_not_found');
  if (note.system || (note.authorId !== editorId && !isModerator)) throw new Rejection('forbidden', {});
  return note;
}

/** The texts are those that clients know (companions.md 2.7). */
export function requireBody(body: string, when: 'create' | 'save'): void {
  let problem: string;
  if (body.trim() === '') problem = `{:note=>["can't be blank"]}`;
  else if (body.length > MAX_LENGTH)
    problem = `{:note=>["is too long (maximum is ${MAX_LENGTH} characters)"]}`;
  else return;
  if (when === 'create') throw new Rejection('bad_request', { reason: `Note ${problem}` });
  throw new Rejection('refused', { message: `Failed to save note ${problem}` });
}
