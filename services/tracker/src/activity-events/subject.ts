import type { Noteable } from '../discussions/discussion.decider.ts';
import { noteableKey } from '../discussions/noteable.access.ts';

/** The issue or merge request that an activity is about. */
export interface NoteableSubject {
  key: string;
  type: Noteable['noteableType'];
  iid: number;
}

export const subjectOf = (type: NoteableSubject['type'], id: number, iid: number): NoteableSubject => ({
  key: noteableKey(type, id),
  type,
  iid,
});
