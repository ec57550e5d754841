import { discussionView, noteView } from '@forgelog/contracts/tracker/discussions/discussion.views.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived, given, nestedList } from '@forgelog/service-kit/view-parts.ts';
import { user } from '@forgelog/service-kit/view-placeholders.ts';
import type { DiscussionRow, NoteRow } from './discussions.collection.ts';

export interface NoteRequest {
  /** What commands in the note did: only the answer to its creation knows. */
  commandsChanges?: { promote_to_epic?: boolean };
}

export const noteJson = implementView(noteView).from<NoteRow, NoteRequest>({
  id: 'id',
  type: derived(['threaded'], (threaded: boolean) => (threaded ? 'DiscussionNote' : null)),
  body: 'text',
  // No note carries an upload, and no note can be resolved.
  attachment: null,
  author: user('authorId'),
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  system: 'system',
  noteable_id: 'noteableId',
  noteable_type: 'noteableType',
  noteable_iid: 'noteableIid',
  resolvable: false,
  confidential: 'confidential',
  commands_changes: given((_: NoteRow, { commandsChanges = {} }: NoteRequest) => commandsChanges),
});

/** A discussion with the notes of it that the caller may read. */
interface ReadDiscussion extends Pick<DiscussionRow, 'id' | 'individualNote'> {
  notes: readonly NoteRow[];
}

export const discussionJson = implementView(discussionView).from<ReadDiscussion>({
  id: 'id',
  individual_note: 'individualNote',
  notes: nestedList(noteJson, ({ notes }: ReadDiscussion) => notes, {}),
});
