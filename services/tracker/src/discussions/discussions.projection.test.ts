import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { issueTarget } from '../issues/issue.target.ts';
import { issueDeleted } from '../testing/issue-events.ts';
import { discussionOf, noteAdded, noteDeleted, noteEdited, noteStarted } from '../testing/note-events.ts';
import { discussions, notes } from './discussions.collection.ts';
import { discussionsProjection } from './discussions.projection.ts';

const projection = discussionsProjection([issueTarget]);
const first = noteStarted(1);

test('a note that gets a reply becomes a thread', async () => {
  const alone = givenEvents(projection, first);
  await alone.thenDocuments(notes, [{ id: 1, noteable: 'Issue-71', text: 'Note 1', threaded: false }]);
  await alone.thenDocuments(discussions, [{ individualNote: true, firstNoteId: 1, open: true }]);
  const thread = givenEvents(projection, first, noteAdded(2, first));
  await thread.thenDocuments(notes, [
    { id: 1, threaded: true },
    { id: 2, threaded: true },
  ]);
  await thread.thenDocuments(discussions, [{ id: discussionOf(1), individualNote: false }]);
});

test('a dated note has its own time, and an edit has that of the event', async () => {
  const createdAt = '2020-01-01T00:00:00.000Z';
  const dated = noteStarted(1, { createdAt });
  await givenEvents(projection, dated, noteEdited(1, dated, { body: 'new' })).thenDocuments(notes, [
    { text: 'new', createdAt, updatedAt: '2030-01-01T00:00:02.000Z' },
  ]);
});

test('a discussion is open while one of its notes is', async () => {
  const hidden = noteEdited(1, first, { confidential: true });
  await givenEvents(projection, first, hidden).thenDocuments(discussions, [
    { open: false, confidentialAuthorIds: [1] },
  ]);
  await givenEvents(projection, first, noteAdded(2, first), hidden).thenDocuments(discussions, [
    { open: true, confidentialAuthorIds: [1] },
  ]);
});

test('a discussion is gone with its last note', async () => {
  const events = [first, noteAdded(2, first), noteDeleted(1, first, false)];
  await givenEvents(projection, ...events).thenDocuments(discussions, [{ firstNoteId: 2 }]);
  const gone = givenEvents(projection, ...events, noteDeleted(2, first, true));
  await gone.thenDocuments(notes, []);
  await gone.thenDocuments(discussions, []);
});

test('with the target or its project everything on it is gone', async () => {
  const other = noteStarted(2, { noteableId: 72, noteableIid: 2 });
  const elsewhere = noteStarted(3, { noteableId: 90, projectId: 8 });
  const gone = givenEvents(projection, first, other, elsewhere, issueDeleted(1));
  await gone.thenDocuments(notes, [{ id: 2 }, { id: 3 }]);
  await gone.thenDocuments(discussions, [{ firstNoteId: 2 }, { firstNoteId: 3 }]);
  const left = givenEvents(projection, first, other, elsewhere, projectDeleted(7).event);
  await left.thenDocuments(notes, [{ id: 3 }]);
  await left.thenDocuments(discussions, [{ firstNoteId: 3 }]);
});
