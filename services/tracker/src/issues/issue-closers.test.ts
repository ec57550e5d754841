import { getIssue, listIssues, listProjectIssues } from '@forgelog/contracts/tracker/issues/issue.api.ts';
import type { MergeRequestEvent } from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import type { ExpectedRevision } from '@forgelog/eventing/event-store.ts';
import {
  memberAdded,
  projectCreated,
  type StreamedEvent,
  userCreated,
} from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { inIssue, issueOpened } from '../testing/issue-events.ts';
import { inMergeRequest, mergeRequestCreated } from '../testing/merge-request-events.ts';
import { issueSlice } from './issue.slice.ts';

const OWNER = 1;
const STRANGER = 2;
const ids = (iid: number, projectId = 7) => ({ mergeRequestId: 90 + iid, projectId, iid });
const described = (iid: number, description: string | null): MergeRequestEvent => ({
  type: 'MergeRequestUpdated',
  data: { ...ids(iid), changes: { description }, previous: null, targetSha: null, updatedAt: null },
});
const deleted = (iid: number): MergeRequestEvent => ({ type: 'MergeRequestDeleted', data: ids(iid) });
const opened = (iid: number, description: string | null, projectId = 7) =>
  inMergeRequest(mergeRequestCreated(iid, { ...ids(iid, projectId), description }));

async function start(...more: Parameters<typeof startSlices>[1] & object) {
  const people = [OWNER, STRANGER].map((id) => userCreated(id));
  const projects = [projectCreated(7, { visibility: 'public' }), projectCreated(8)];
  const issues = [1, 2].map((iid) => inIssue(issueOpened(iid)));
  const { call, ports } = await startSlices([issueSlice], [...people, ...projects, ...issues, ...more]);
  const countFor = async (user: number | null, iid = 1) =>
    (await call(getIssue, { id: 7, issue_iid: iid }, user)).body.merge_requests_count;
  const append = ({ stream, event }: StreamedEvent, revision: ExpectedRevision = 'no-stream') =>
    ports.commands.append(stream, revision, [event], SYSTEM_METADATA);
  return { call, countFor, append };
}

test('an issue tells how many merge requests close it, in lists too', async () => {
  const { call, countFor } = await start(
    opened(1, 'Closes #1 and #2'),
    opened(2, 'Fixes user1/project7#1, and closes #1'),
    opened(3, 'See #1'),
  );
  expect([await countFor(OWNER), await countFor(OWNER, 2)]).toEqual([2, 1]);
  for (const endpoint of [listProjectIssues, listIssues]) {
    const listed = await call(endpoint, { id: 7, scope: 'all', sort: 'asc' }, OWNER);
    const counts = listed.body.map((issue: { merge_requests_count: number }) => issue.merge_requests_count);
    expect(counts.toSorted()).toEqual([1, 2]);
  }
});

test('a count follows texts that change and merge requests that are deleted', async () => {
  const { countFor } = await start(
    opened(1, 'Closes #1'),
    opened(2, 'Closes #1'),
    opened(3, null),
    inMergeRequest(described(1, 'Closes #2')),
    inMergeRequest(described(3, 'Closes #1')),
    inMergeRequest(deleted(2)),
  );
  expect([await countFor(OWNER), await countFor(OWNER, 2)]).toEqual([1, 1]);
});

test('only merge requests are counted that the caller may see', async () => {
  const { countFor } = await start(opened(1, 'Closes user1/project7#1', 8), memberAdded(8, OWNER, 40));
  expect([await countFor(OWNER), await countFor(STRANGER), await countFor(null)]).toEqual([1, 0, 0]);
});

test('the first merge request that closes an issue of a project is counted, by its id and by its path', async () => {
  const { countFor, append } = await start();
  expect([await countFor(OWNER), await countFor(OWNER, 2)]).toEqual([0, 0]);
  await append(opened(1, 'Closes #1'));
  expect([await countFor(OWNER), await countFor(OWNER, 2)]).toEqual([1, 0]);
  await append(opened(1, 'Closes User1/Project7#2', 8));
  expect([await countFor(OWNER), await countFor(OWNER, 2)]).toEqual([1, 1]);
  await append(opened(3, null));
  await append(inMergeRequest(described(3, 'Closes user1/project7#1')), 0);
  await append(inMergeRequest(described(1, null)), 0);
  expect([await countFor(OWNER), await countFor(OWNER, 2)]).toEqual([1, 1]);
});
