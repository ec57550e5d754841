import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import type { SnippetEvent } from '@forgelog/contracts/repo/snippets/snippet.events.ts';
import { issueNotes } from '@forgelog/contracts/tracker/discussions/note.api.ts';
import { createIssue, deleteIssue, updateIssue } from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { searchGroup, searchInstance, searchProject } from '@forgelog/contracts/tracker/search/search.api.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import {
  memberAdded,
  on,
  projectCreated,
  projectDeleted,
  userCreated,
} from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { discussionSlice } from '../discussions/discussion.slice.ts';
import { issueSlice } from '../issues/issue.slice.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { labelSlice } from '../labels/label.slice.ts';
import { mergeRequestSlice } from '../merge-requests/merge-request.slice.ts';
import { mergeRequestTarget } from '../merge-requests/merge-request.target.ts';
import { milestoneSlice } from '../milestones/milestone.slice.ts';
import { inMergeRequest, mergeRequestCreated } from '../testing/merge-request-events.ts';
import { mergesSlice } from '../testing/merges.slice.ts';
import { inDiscussion, noteStarted } from '../testing/note-events.ts';
import { searchSlice } from './search.slice.ts';

const [OWNER, REPORTER, GUEST, STRANGER, ADMIN] = [1, 2, 3, 4, 5];
const [OPEN, CLOSED, CODE_CLOSED, NO_SNIPPETS] = [7, 8, 9, 10];
const kinds = [issueTarget, mergeRequestTarget];
const given = [
  ...[OWNER, REPORTER, GUEST, STRANGER, ADMIN].map((id) => userCreated(id, { admin: id === ADMIN })),
  projectCreated(OPEN, { visibility: 'public' }),
  projectCreated(CLOSED),
  projectCreated(CODE_CLOSED, { visibility: 'public', settings: { repository_access_level: 'private' } }),
  projectCreated(NO_SNIPPETS, { visibility: 'public', settings: { snippets_access_level: 'disabled' } }),
  ...[OPEN, CLOSED].flatMap((id) => [memberAdded(id, REPORTER, 20), memberAdded(id, GUEST, 10)]),
];
const start = (...more: typeof given) =>
  startSlices(
    [
      ...[issueSlice, labelSlice, milestoneSlice, mergeRequestSlice, mergesSlice().slice],
      ...[discussionSlice(kinds), searchSlice(kinds)],
    ],
    [...given, ...more],
  );
type Running = Awaited<ReturnType<typeof start>>;

async function found(
  { call }: Running,
  as: number,
  params: object = {},
  endpoint: AnyEndpoint = searchInstance,
) {
  const { status, body, headers } = await call(endpoint, { scope: 'notes', search: 'engine', ...params }, as);
  expect(status).toBe(200);
  expect(Number(headers['x-total'])).toBe(body.length);
  return body.map(({ body: text }: { body: string }) => text).sort();
}

/** An issue with a comment of its author. */
async function said(
  { call }: Running,
  id: number,
  note: object,
  issue: object = {},
  as = OWNER,
): Promise<number> {
  const { body } = await call(createIssue, { id, title: 'Talk', ...issue }, as);
  expect((await call(issueNotes.create, { id, issue_iid: body.iid, ...note }, as)).status).toBe(201);
  return body.iid;
}

test('notes on issues are found as far as the caller reads the issue, and the note', async () => {
  const running = await start();
  await said(running, OPEN, { body: 'engine open' });
  await said(running, OPEN, { body: 'engine internal', confidential: true });
  await said(running, OPEN, { body: 'engine secret' }, { confidential: true });
  await said(running, OPEN, { body: 'engine given' }, { confidential: true, assignee_ids: [GUEST] });
  await said(running, OPEN, { body: 'engine own' }, { confidential: true }, STRANGER);
  await said(running, CLOSED, { body: 'The ENGINES closed' });
  const all = ['engine given', 'engine internal', 'engine open', 'engine own', 'engine secret'];
  const everything = ['The ENGINES closed', ...all];
  for (const as of [OWNER, REPORTER, ADMIN]) expect(await found(running, as)).toEqual(everything);
  expect(await found(running, GUEST)).toEqual(['The ENGINES closed', 'engine given', 'engine open']);
  expect(await found(running, STRANGER)).toEqual(['engine open', 'engine own']);
  expect(await found(running, REPORTER, { id: OPEN }, searchProject.dashed)).toEqual(all);
  expect(await found(running, STRANGER, { id: OPEN }, searchProject.plain)).toEqual([
    'engine open',
    'engine own',
  ]);
  const closed = { id: CLOSED, scope: 'notes', search: 'engine' };
  expect((await running.call(searchProject.plain, closed, STRANGER)).status).toBe(404);
  expect((await running.call(searchInstance, closed, null)).status).toBe(401);
  expect((await running.call(searchGroup.plain, { ...closed, id: 99 }, OWNER)).status).toBe(404);
});

test('a note is shown as in the list of its issue, the newest first', async () => {
  const running = await start();
  const iid = await said(running, OPEN, { body: 'engine one' });
  await running.call(issueNotes.create, { id: OPEN, issue_iid: iid, body: 'engine two' }, REPORTER);
  const list = (await running.call(issueNotes.list, { id: OPEN, issue_iid: iid }, GUEST)).body;
  const search = await running.call(searchInstance, { scope: 'notes', search: 'engine' }, GUEST);
  expect(search.body).toEqual(list);
  expect(search.body).toMatchObject([{ body: 'engine two' }, { body: 'engine one' }]);
});

test('the index follows edits, deletions, and who may read the issue', async () => {
  const running = await start();
  const { call, ports } = running;
  const iid = await said(running, OPEN, { body: 'engine' });
  const [note] = (await call(searchInstance, { scope: 'notes', search: 'engine' }, STRANGER)).body;
  const onNote = { id: OPEN, issue_iid: iid, note_id: note.id };
  await call(issueNotes.edit, { ...onNote, body: 'motor' }, OWNER);
  expect(await found(running, STRANGER)).toEqual([]);
  expect(await found(running, STRANGER, { search: 'motor' })).toEqual(['motor']);
  await call(updateIssue, { id: OPEN, issue_iid: iid, confidential: true }, OWNER);
  expect(await found(running, STRANGER, { search: 'motor' })).toEqual([]);
  await call(updateIssue, { id: OPEN, issue_iid: iid, assignee_ids: [STRANGER] }, OWNER);
  expect(await found(running, STRANGER, { search: 'motor' })).toEqual(['motor']);
  await call(issueNotes.edit, { ...onNote, confidential: true }, OWNER);
  expect(await found(running, GUEST, { search: 'motor' })).toEqual([]);
  await call(issueNotes.delete, onNote, OWNER);
  expect(await found(running, OWNER, { search: 'motor' })).toEqual([]);

  const gone = await said(running, OPEN, { body: 'piston' });
  await call(deleteIssue, { id: OPEN, issue_iid: gone }, OWNER);
  expect(await found(running, OWNER, { search: 'piston' })).toEqual([]);
  await said(running, CLOSED, { body: 'piston' });
  const { stream, event } = projectDeleted(CLOSED);
  await ports.commands.append(stream, 0, [event], SYSTEM_METADATA);
  expect(await found(running, ADMIN, { search: 'piston' })).toEqual([]);
});

test('what the system notes is not found', async () => {
  const system = noteStarted(6, { body: 'engine of the system', system: true });
  const running = await start(inDiscussion(system));
  expect(await found(running, OWNER)).toEqual([]);
});

test('notes on code are found where the code may be read', async () => {
  const onCommit = (noteId: number, projectId: number) =>
    inDiscussion(
      noteStarted(noteId, {
        ...{ projectId, noteableType: 'Commit', noteableId: null, noteableIid: null },
        ...{ noteableSha: 'a'.repeat(40), body: `engine commit ${projectId}` },
      }),
    );
  const onRequest = (noteId: number, projectId: number) => [
    inMergeRequest(
      mergeRequestCreated(1, { projectId, mergeRequestId: projectId, sourceProjectId: projectId }),
    ),
    inDiscussion(
      noteStarted(noteId, {
        ...{ projectId, noteableType: 'MergeRequest', noteableId: projectId, noteableIid: 1 },
        body: `engine request ${projectId}`,
      }),
    ),
  ];
  const running = await start(
    ...[onCommit(1, OPEN), onCommit(2, CLOSED), onCommit(3, CODE_CLOSED)],
    ...[...onRequest(4, OPEN), ...onRequest(5, CLOSED), ...onRequest(6, CODE_CLOSED)],
  );
  const of = (...ids: number[]) =>
    ids.flatMap((id) => [`engine commit ${id}`, `engine request ${id}`]).sort();
  expect(await found(running, OWNER)).toEqual(of(OPEN, CLOSED, CODE_CLOSED));
  expect(await found(running, REPORTER)).toEqual(of(OPEN, CLOSED));
  // Guests of a private project do not see its code.
  expect(await found(running, GUEST)).toEqual(of(OPEN));
  expect(await found(running, STRANGER)).toEqual(of(OPEN));
});

test('notes on snippets are found by whom the snippet is for, as it is now', async () => {
  const snippet = (snippetId: number, projectId: number, visibility: 'private' | 'internal' | 'public') => [
    on(`snippet-${snippetId}`, {
      type: 'SnippetCreated',
      data: {
        ...{ snippetId, projectId, authorId: OWNER, title: 'S', description: null, visibility },
        ...{ files: [], author: null },
      },
    }),
    inDiscussion(
      noteStarted(snippetId, {
        ...{ projectId, noteableType: 'Snippet', noteableId: snippetId, noteableIid: null },
        body: `engine snippet ${snippetId}`,
      }),
    ),
  ];
  const running = await start(
    ...[...snippet(1, OPEN, 'public'), ...snippet(2, OPEN, 'private'), ...snippet(3, OPEN, 'internal')],
    ...[...snippet(4, CLOSED, 'public'), ...snippet(5, NO_SNIPPETS, 'public')],
  );
  const of = (...ids: number[]) => ids.map((id) => `engine snippet ${id}`);
  expect(await found(running, GUEST)).toEqual(of(1, 2, 3, 4));
  expect(await found(running, STRANGER)).toEqual(of(1, 3));
  const hidden: SnippetEvent = {
    type: 'SnippetUpdated',
    data: {
      ...{ snippetId: 1, projectId: OPEN, authorId: OWNER },
      ...{ changes: { visibility: 'private' }, previous: { visibility: 'public' } },
    },
  };
  await running.ports.commands.append('snippet-1', 0, [hidden], SYSTEM_METADATA);
  expect(await found(running, STRANGER)).toEqual(of(3));
  const deleted: SnippetEvent = {
    type: 'SnippetDeleted',
    data: { snippetId: 3, projectId: OPEN, authorId: OWNER },
  };
  await running.ports.commands.append('snippet-3', 0, [deleted], SYSTEM_METADATA);
  expect(await found(running, GUEST)).toEqual(of(1, 2, 4));
});
