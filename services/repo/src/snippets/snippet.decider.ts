import { Rejection } from '@forgelog/contracts/errors.ts';
import type { SnippetEvent } from '@forgelog/contracts/repo/snippets/snippet.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import {
  changesOf,
  type FileAction,
  type FileChange,
  filesAfter,
  type SnippetFiles,
} from './snippet-files.rules.ts';

interface Attributes {
  title: string;
  description: string | null;
  visibility: 'private' | 'internal' | 'public';
}

/** The author of the commit that git sees. */
interface Author {
  name: string;
  email: string;
}

interface Ids {
  snippetId: number;
  /** null for a personal one. */
  projectId: number | null;
  authorId: number;
}

export type SnippetState =
  | { status: 'absent' }
  | ({ status: 'present'; files: SnippetFiles } & Attributes)
  | { status: 'deleted' };

/** What a caller writes: changes of files, or name and text of the only file. */
export type WantedFiles =
  | { actions: readonly FileAction[] }
  | { path: string | undefined; content: string | undefined };

export type SnippetCommand = Ids &
  (
    | { type: 'CreateSnippet'; attributes: Attributes; files: readonly FileAction[]; author: Author }
    /** Undefined keeps the current value. */
    | {
        type: 'UpdateSnippet';
        changes: { [Name in keyof Attributes]?: Attributes[Name] | undefined };
        files: WantedFiles;
        author: Author;
      }
    /** One after the other. Each is kept as git has it. */
    | { type: 'PushSnippet'; commits: readonly { pushed: string; actions: readonly FileAction[] }[] }
    | { type: 'DeleteSnippet' }
  );

export const snippetStream = (id: number) => `snippet-${id}`;

export const snippetDecider: Decider<SnippetState, SnippetCommand, SnippetEvent> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    const { snippetId, projectId, authorId } = command;
    const ids = { snippetId, projectId, authorId };
    if (command.type === 'CreateSnippet') {
      if (state.status !== 'absent') throw new Rejection('conflict', {});
      requireTitle(command.attributes.title);
      const files = changesOf(command.files, new Map()).map(({ path, content }) => ({
        path,
        content: content!,
      }));
      return [
        { type: 'SnippetCreated', data: { ...ids, ...command.attributes, files, author: command.author } },
      ];
    }
    if (state.status !== 'present') throw new Rejection('record_not_found');
    switch (command.type) {
      case 'UpdateSnippet': {
        const change = changesFrom<Attributes>(state, command.changes);
        if (change?.changes.title !== undefined) requireTitle(change.changes.title);
        const files = changesOf(actionsOf(command.files, state.files), state.files);
        const events: SnippetEvent[] = [];
        if (change !== null) events.push({ type: 'SnippetUpdated', data: { ...ids, ...change } });
        const { author } = command;
        if (files.length > 0)
          events.push({ type: 'SnippetFilesCommitted', data: { ...ids, files, author, pushed: null } });
        return events;
      }
      case 'PushSnippet': {
        let present = state.files;
        return command.commits.map(({ pushed, actions }) => {
          const files: FileChange[] = changesOf(actions, present);
          present = filesAfter(present, files);
          return { type: 'SnippetFilesCommitted', data: { ...ids, files, author: null, pushed } };
        });
      }
      case 'DeleteSnippet':
        return [{ type: 'SnippetDeleted', data: ids }];
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    if (event.type === 'SnippetCreated') {
      const { title, description, visibility, files } = event.data;
      const texts = new Map(files.map(({ path, content }) => [path, content]));
      return { status: 'present', title, description, visibility, files: texts };
    }
    if (state.status !== 'present') return state;
    switch (event.type) {
      case 'SnippetUpdated':
        return { ...state, ...event.data.changes };
      case 'SnippetFilesCommitted':
        return { ...state, files: filesAfter(state.files, event.data.files) };
      case 'SnippetDeleted':
        return { status: 'deleted' };
      default:
        return event satisfies never;
    }
  },
};

const MOST_TITLE = 255;

function requireTitle(title: string): void {
  const problem =
    title.trim() === ''
      ? "can't be blank"
      : title.length > MOST_TITLE
        ? `is too long (maximum is ${MOST_TITLE} characters)`
        : null;
  if (problem !== null) throw new Rejection('validation_failed', { fields: { title: [problem] } });
}

/** @throws 400 where a snippet of several files is changed as if it had one */
function actionsOf(wanted: WantedFiles, files: SnippetFiles): readonly FileAction[] {
  if ('actions' in wanted) return wanted.actions;
  const { path, content } = wanted;
  if (path === undefined && content === undefined) return [];
  const [present] = [...files.keys()];
  if (files.size > 1)
    throw new Rejection('bad_request', {
      reason: 'To update Snippets with multiple files, you must use the `files` parameter',
    });
  if (path === undefined || path === present) return [{ action: 'update', file_path: present, content }];
  return [{ action: 'move', file_path: path, previous_path: present, content }];
}
