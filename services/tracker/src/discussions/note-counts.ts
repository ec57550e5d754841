import type { DiscussionEvent } from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import type { Recorded } from '@forgelog/eventing/define-projection.ts';

/** What a target's row says of the notes on it. */
interface NotedRow {
  /** Users who wrote a comment. */
  participantIds: readonly number[];
  /** Comments, without what the system notes. */
  notesCount: number;
  updatedAt: string;
}

/**
 * The row of a target after a note on it; undefined where nothing changes. Comments are counted, and their authors take
 * part. Everybody sees the count and the time of the last change, so that confidential notes leave both alone.
 */
export function withNote<Row extends NotedRow>(row: Row, event: Recorded<DiscussionEvent>): Row | undefined {
  switch (event.type) {
    case 'DiscussionStarted':
    case 'NoteAdded': {
      if (event.data.system) return undefined;
      const { authorId, confidential } = event.data;
      const participants = row.participantIds;
      const participantIds = participants.includes(authorId) ? participants : [...participants, authorId];
      if (confidential) return { ...row, participantIds };
      return { ...row, participantIds, updatedAt: event.time, notesCount: row.notesCount + 1 };
    }
    case 'NoteEdited': {
      const { confidential } = event.data.changes;
      return confidential === undefined ? undefined : withCount(row, confidential ? -1 : 1);
    }
    case 'NoteDeleted':
      return event.data.system || event.data.confidential ? undefined : withCount(row, -1);
    case 'DiscussionResolved':
    case 'DiscussionUnresolved':
      return { ...row, updatedAt: event.time };
    default:
      return event satisfies never;
  }
}

const withCount = <Row extends NotedRow>(row: Row, change: 1 | -1): Row => ({
  ...row,
  notesCount: Math.max(0, row.notesCount + change),
});

/** What a note says that everybody may read who reads its target; empty where the event brings no such text. */
export function openTextOf({ type, data }: Recorded<DiscussionEvent>): string {
  switch (type) {
    case 'DiscussionStarted':
    case 'NoteAdded':
      return data.system || data.confidential ? '' : data.body;
    default:
      return '';
  }
}

/** The number of threads on a target that wait for their resolution, after an event. */
export function openThreadsAfter(count: number, { type, data }: Recorded<DiscussionEvent>): number {
  switch (type) {
    case 'DiscussionStarted':
      return data.individualNote || data.system ? count : count + 1;
    case 'NoteAdded':
      return data.beginsThread ? count + 1 : count;
    case 'NoteDeleted':
      return data.endsOpenThread ? count - 1 : count;
    case 'DiscussionResolved':
      return count - 1;
    case 'DiscussionUnresolved':
      return count + 1;
    case 'NoteEdited':
      return count;
    default:
      return type satisfies never;
  }
}
