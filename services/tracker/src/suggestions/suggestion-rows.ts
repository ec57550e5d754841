import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import type { NoteRow } from '../discussions/discussions.collection.ts';
import { MOST_BLOCKS, suggestionBlocks } from './suggestion-blocks.ts';
import { suggestions } from './suggestions.collection.ts';

/** Editions of a note that are told apart by the ids of its suggestions. */
const EDITIONS = 100;

/**
 * The id of a suggestion is derived, and names what its note says now: after an edit the suggestions of the note are
 * others, so that nobody applies what they have not seen.
 */
export const suggestionId = ({ id, edits }: Pick<NoteRow, 'id' | 'edits'>, index: number): number =>
  (id * EDITIONS + (edits % EDITIONS)) * MOST_BLOCKS + index;

/** Stores the suggestions of a note that is new, or was edited. A removed line has none. */
export async function putSuggestions(
  documents: ProjectionDocuments,
  note: NoteRow,
  position: { kind: string; newLine: number | null } | undefined,
): Promise<void> {
  if (note.edits > 0) await documents.deleteAll(suggestions, eq('noteId', note.id));
  if (position?.kind !== 'text' || position.newLine === null) return;
  const { id: noteId, discussionId, noteable, projectId } = note;
  // Only a merge request has a branch that takes them.
  if (note.noteableType !== 'MergeRequest' || projectId === null) return;
  for (const [index, block] of suggestionBlocks(note.text).entries()) {
    const id = suggestionId(note, index);
    documents.put(suggestions, { id, noteId, discussionId, noteable, projectId, ...block, applied: false });
  }
}

/** The commit that applies them has become a part of its branch. */
export async function markApplied(documents: ProjectionDocuments, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    const row = await documents.get(suggestions, id);
    if (row) documents.put(suggestions, { ...row, applied: true });
  }
}
