import {
  discussionView,
  noteCommandsView,
  noteView,
} from '@forgelog/contracts/tracker/discussions/discussion.views.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { ifGiven, ifTrue } from '@forgelog/service-kit/view-optional.ts';
import { derived, given, nestedList } from '@forgelog/service-kit/view-parts.ts';
import { user } from '@forgelog/service-kit/view-placeholders.ts';
import type { z } from 'zod';
import type { Applied } from '../quick-actions/quick-action.commands.ts';
import { suggestionJson } from '../suggestions/suggestion.view.ts';
import type { DiscussionRow, PositionRow } from './discussions.collection.ts';
import type { ShownNote } from './shown-positions.ts';

export interface NoteRequest {
  /** What commands in the note did: only the answer to its creation knows. */
  commandsChanges?: z.output<typeof noteCommandsView>['commands_changes'];
}

export const noteJson = implementView(noteView).from<ShownNote, NoteRequest>({
  id: 'id',
  type: derived(['onDiff', 'threaded'], (onDiff: boolean, threaded: boolean) =>
    onDiff ? 'DiffNote' : threaded ? 'DiscussionNote' : null,
  ),
  body: 'text',
  // No note carries an upload.
  attachment: null,
  author: user('authorId'),
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  system: 'system',
  noteable_id: 'noteableId',
  noteable_type: 'noteableType',
  noteable_iid: 'noteableIid',
  position: ifGiven(({ position }: ShownNote) => position && positionOf(position)),
  commit_id: ifGiven(({ onDiff, noteableType, commitId }: ShownNote) =>
    onDiff || noteableType === 'Commit' ? commitId : undefined,
  ),
  suggestions: ifTrue(
    'onDiff',
    nestedList(suggestionJson, ({ suggestions }: ShownNote) => suggestions ?? []),
  ),
  resolvable: 'resolvable',
  resolved: ifTrue(
    'resolvable',
    derived(['resolvedAt'], (at: string | null) => at !== null),
  ),
  resolved_by: ifTrue('resolvable', user('resolvedById')),
  resolved_at: ifTrue('resolvable', 'resolvedAt'),
  confidential: 'confidential',
  commands_changes: given((_: ShownNote, { commandsChanges = {} }: NoteRequest) => commandsChanges),
});

export const noteCommandsJson = implementView(noteCommandsView).from<Applied>({
  commands_changes: given(({ commandsChanges }: Applied) => commandsChanges),
  summary: given(({ summary }: Applied) => summary),
});

/** A discussion with the notes of it that the caller may read. */
interface ReadDiscussion extends Pick<DiscussionRow, 'id' | 'individualNote'> {
  notes: readonly ShownNote[];
}

export const discussionJson = implementView(discussionView).from<ReadDiscussion>({
  id: 'id',
  individual_note: 'individualNote',
  notes: nestedList(noteJson, ({ notes }: ReadDiscussion) => notes, {}),
});

function positionOf(row: PositionRow) {
  const { baseSha, startSha, headSha, oldPath, newPath, kind, oldLine, newLine } = row;
  const range = row.hasRange
    ? {
        start: {
          line_code: row.startLineCode,
          type: row.startKind as Side,
          old_line: row.startOldLine,
          new_line: row.startNewLine,
        },
        end: {
          line_code: row.endLineCode,
          type: row.endKind as Side,
          old_line: row.endOldLine,
          new_line: row.endNewLine,
        },
      }
    : null;
  return {
    base_sha: baseSha,
    start_sha: startSha,
    head_sha: headSha,
    old_path: oldPath,
    new_path: newPath,
    position_type: kind as 'text' | 'image',
    old_line: oldLine,
    new_line: newLine,
    line_range: range,
    ...(row.x !== null && { width: row.width!, height: row.height!, x: row.x, y: row.y! }),
  };
}

type Side = 'old' | 'new' | null;
