import { ref, withMembers, writeReadyJson } from '@forgelog/service-kit/ready-json.ts';
import type { NoteRow } from './discussions.collections.ts';

/** Ready JSON of a note [L99] but for what a command in it did, which only the answer to its creation knows. */
export function noteBody(note: Omit<NoteRow, 'body'>): string {
  return writeReadyJson({
    id: note.id,
    type: note.threaded ? 'DiscussionNote' : null,
    body: note.text,
    // No note carries an upload, and nothing on an issue can be resolved.
    attachment: null,
    author: ref.user(note.authorId),
    created_at: note.createdAt,
    updated_at: note.updatedAt,
    system: note.system,
    noteable_id: note.noteableId,
    noteable_type: note.noteableType,
    noteable_iid: note.noteableIid,
    resolvable: false,
    confidential: note.confidential,
  });
}

export interface CommandsChanges {
  promote_to_epic?: boolean;
}

/** Ready JSON of a note as it is answered. */
export const noteJson = ({ body }: Pick<NoteRow, 'body'>, commandsChanges: CommandsChanges = {}): string =>
  withMembers(body!, { commands_changes: commandsChanges });
