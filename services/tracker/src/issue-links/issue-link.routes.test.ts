import { PROJECT_ARCHIVED } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  createIssueLink,
  deleteIssueLink,
  listIssueLinks,
} from '@forgelog/contracts/tracker/issue-links/issue-link.api.ts';
import { memberAdded, on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { issueSlice } from '../issues/issue.slice.ts';
import { inIssue, issueOpened } from '../testing/issue-events.ts';
import { issueLinkSlice } from './issue-link.slice.ts';

const OWNER = 1;
const REPORTER = 2;
const GUEST = 3;

const elsewhere = { issueId: 80, projectId: 8, title: 'Elsewhere' };
const given = [
  ...[OWNER, REPORTER, GUEST].map((id) => userCreated(id)),
  ...[projectCreated(7, { visibility: 'public' }), projectCreated(8), projectCreated(9)],
  ...[memberAdded(7, REPORTER, 20), memberAdded(7, GUEST, 10), memberAdded(9, REPORTER, 20)],
  ...[issueOpened(1), issueOpened(2), issueOpened(3, { confidential: true })].map(inIssue),
  inIssue(issueOpened(1, elsewhere)),
  inIssue(issueOpened(1, { issueId: 90, projectId: 9, title: 'Closed off' })),
  on('project-9', { type: 'ProjectArchived', data: { projectId: 9, ...PROJECT_ARCHIVED } }),
];

const started = (environment = {}) => startSlices([issueSlice, issueLinkSlice], given, { environment });
const from = { id: 7, issue_iid: 1 };
const to = (iid: number, project: number | string = 7) => ({
  target_project_id: project,
  target_issue_iid: iid,
});

test('a link is there from both ends, once, and is taken away from either', async () => {
  const { call } = await started();
  const created = await call(createIssueLink, { ...from, ...to(2) }, REPORTER);
  expect(created).toMatchObject({
    status: 201,
    body: { id: 1, source_issue: { iid: 1 }, target_issue: { iid: 2 }, link_type: 'relates_to' },
    events: [{ type: 'IssueLinkCreated', data: { sourceIssueId: 71, targetIssueId: 72 } }],
  });
  for (const [own, other] of [
    [1, 2],
    [2, 1],
  ] as const) {
    const listed = await call(listIssueLinks, { id: 7, issue_iid: own }, null);
    expect(listed.body).toMatchObject([
      { iid: other, issue_link_id: 1, link_type: 'relates_to', link_created_at: expect.any(String) },
    ]);
    const again = { id: 7, issue_iid: own, ...to(other, 'user1/project7') };
    expect(await call(createIssueLink, again, REPORTER)).toMatchObject({
      ...{ status: 409, body: { message: 'Issue(s) already assigned' }, events: [] },
    });
  }
  const gone = await call(deleteIssueLink, { id: 7, issue_iid: 2, issue_link_id: 1 }, REPORTER);
  expect(gone).toMatchObject({ status: 200, body: { source_issue: { iid: 1 }, target_issue: { iid: 2 } } });
  expect((await call(listIssueLinks, from, REPORTER)).body).toEqual([]);
  const twice = await call(deleteIssueLink, { ...from, issue_link_id: 1 }, REPORTER);
  expect(twice).toMatchObject({ status: 404, body: { message: '404 Issue Link Not Found' } });
});

test('what blocks is the source, and the premium edition alone knows it', async () => {
  const { call } = await started({ EDITION: 'premium' });
  const blocked = await call(createIssueLink, { ...from, ...to(2), link_type: 'is_blocked_by' }, REPORTER);
  expect(blocked.body).toMatchObject({
    ...{ source_issue: { iid: 2 }, target_issue: { iid: 1 }, link_type: 'blocks' },
  });
  const word = async (iid: number) =>
    (await call(listIssueLinks, { id: 7, issue_iid: iid }, REPORTER)).body[0].link_type;
  expect([await word(1), await word(2)]).toEqual(['is_blocked_by', 'blocks']);

  const free = await started({ EDITION: 'free' });
  const refused = await free.call(createIssueLink, { ...from, ...to(2), link_type: 'blocks' }, REPORTER);
  expect(refused).toMatchObject({ status: 403, events: [] });
});

test('a link needs a reporter at both ends, and neither tells of what the caller does not see', async () => {
  const { call } = await started();
  const link = (target: object, as: number | null) => call(createIssueLink, { ...from, ...target }, as);
  expect((await link(to(2), GUEST)).status).toBe(403);
  expect((await link(to(2), null)).status).toBe(401);
  for (const hidden of [to(1, 8), to(1, 100), to(1, 'no/project'), to(99)])
    expect(await link(hidden, REPORTER)).toMatchObject({
      ...{ status: 404, body: { message: '404 Not found' }, events: [] },
    });
  expect(await link(to(1, 9), REPORTER)).toMatchObject({ status: 403, events: [] });
  expect((await link(to(1), REPORTER)).status).toBe(400);
  expect(await link(to(1, 8), OWNER)).toMatchObject({ status: 201, body: { target_issue: { id: 80 } } });
  expect((await link(to(3), OWNER)).status).toBe(201);

  const seen = async (as: number | null) =>
    (await call(listIssueLinks, from, as)).body.map(({ id }: { id: number }) => id);
  expect(await seen(OWNER)).toEqual([80, 73]);
  expect(await seen(REPORTER)).toEqual([73]);
  expect([await seen(GUEST), await seen(null)]).toEqual([[], []]);
  const remove = { ...from, issue_link_id: 1 };
  expect(await call(deleteIssueLink, remove, REPORTER)).toMatchObject({ status: 404, events: [] });
  expect((await call(deleteIssueLink, remove, OWNER)).status).toBe(200);
});

test('of two links made at once there is one', async () => {
  const { call } = await started();
  const made = await Promise.all([
    call(createIssueLink, { ...from, ...to(2) }, OWNER),
    call(createIssueLink, { id: 7, issue_iid: 2, ...to(1) }, REPORTER),
  ]);
  expect(made.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  expect((await call(listIssueLinks, from, OWNER)).body).toHaveLength(1);
});
