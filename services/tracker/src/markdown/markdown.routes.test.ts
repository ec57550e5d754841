import { describeCommits, findCommit } from '@forgelog/contracts/repo/commits/commit.operations.ts';
import { services } from '@forgelog/contracts/tracker/integrations/integration.api.ts';
import { createIssue } from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { projectLabels } from '@forgelog/contracts/tracker/labels/label.api.ts';
import { renderMarkdown } from '@forgelog/contracts/tracker/markdown/markdown.api.ts';
import { projectMilestones } from '@forgelog/contracts/tracker/milestones/milestone.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { implementOperation } from '@forgelog/service-kit/operations.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { integrationSlice } from '../integrations/integration.slice.ts';
import { issueSlice } from '../issues/issue.slice.ts';
import { labelSlice } from '../labels/label.slice.ts';
import { mergeRequestSlice } from '../merge-requests/merge-request.slice.ts';
import { milestoneSlice } from '../milestones/milestone.slice.ts';
import { markdownSlice } from './markdown.slice.ts';

const OWNER = 1;
const GUEST = 2;
const OUTSIDER = 3;
const SHA = 'abcdef1'.padEnd(40, '0');
const given = [
  ...[OWNER, GUEST, OUTSIDER].map((id) => userCreated(id)),
  ...[projectCreated(7), projectCreated(8, { visibility: 'public' }), memberAdded(7, GUEST, 10)],
];
const person = { name: 'Ann', email: 'ann@example.org', date: '2026-11-20T12:00:00.000Z' };
const commit = {
  ...{ id: SHA, parentIds: [], title: 'Start <it>', message: 'Start <it>' },
  ...{ author: person, committer: person },
};
/** Stands in for the service that has the repositories. */
const commits = defineSlice<ServicePorts>({
  operations: [
    () => [
      implementOperation(findCommit, async ({ request: { name } }) => ({
        sha: SHA.startsWith(name) || name === 'abad1dea' ? SHA : null,
        branch: null,
      })),
      implementOperation(describeCommits, async ({ request: { shas } }) => ({
        commits: shas.map((sha) => (sha === SHA ? commit : null)),
      })),
    ],
  ],
});

async function started() {
  const slices = [markdownSlice, issueSlice, labelSlice, milestoneSlice, mergeRequestSlice, commits];
  const { call } = await startSlices(slices, given);
  await call(createIssue, { id: 7, title: 'Stops <at> night' }, OWNER);
  await call(createIssue, { id: 7, title: 'A secret', confidential: true }, OWNER);
  await call(createIssue, { id: 8, title: 'Everybody knows' }, OWNER);
  await call(projectLabels.create, { id: 7, name: 'in work', color: 'red' }, OWNER);
  await call(projectMilestones.create, { id: 7, title: '1.0' }, OWNER);
  const render = async (
    text: string,
    by: number | null,
    more: object = { gfm: true, project: 'user1/project7' },
  ) => call(renderMarkdown, { text, ...more }, by);
  return { render };
}

const url = 'http://forgelog.test/user1/project7/-';

test('references lead to what they name', async () => {
  const { render } = await started();
  const text = '#1 ~"in work" %1.0 %1 @user2 project8#1 user1/project8#1 abcdef1 !1 #9 ~none %none @nobody';
  const { status, body } = await render(text, OWNER);
  expect(status).toBe(201);
  for (const [address, title] of [
    [`${url}/issues/1`, 'Stops &lt;at&gt; night'],
    [`${url}/issues?label_name=in%20work`, ''],
    [`${url}/milestones/1`, '1.0'],
    ['http://forgelog.test/user2', 'User 2'],
    ['http://forgelog.test/user1/project8/-/issues/1', 'Everybody knows'],
    [`${url}/commit/${SHA}`, 'Start &lt;it&gt;'],
  ])
    expect(body.html).toContain(`<a href="${address}" title="${title}"`);
  expect(body.html.match(/<a /g)).toHaveLength(8);
  expect(body.html).toContain('!1 #9 ~none %none @nobody</p>');
});

test('a reader gets links to what they may read alone', async () => {
  const { render } = await started();
  const secret = async (by: number | null, more?: object) =>
    (await render('#1 #2 abcdef1 user1/project8#1', by, more)).body.html.match(/>([^<]+)<\/a>/g) ?? [];
  expect(await secret(OWNER)).toHaveLength(4);
  // Guests of a private project do not see its code, nor confidential issues.
  expect(await secret(GUEST)).toEqual(['>#1</a>', '>user1/project8#1</a>']);
  expect(await secret(null, { gfm: true })).toEqual(['>user1/project8#1</a>']);
  for (const by of [OUTSIDER, null]) expect((await render('#1', by)).status).toBe(404);
  const across = await render('user1/project7#1', OUTSIDER, { gfm: true, project: '8' });
  expect(across.body.html).toBe('<p>user1/project7#1</p>\n');
});

test('without the flavour references stay text, and a branch with the name of an id is no commit', async () => {
  const { render } = await started();
  expect((await render('#1 *a*', OWNER, { project: '7' })).body.html).toBe('<p>#1 <em>a</em></p>\n');
  expect((await render('abad1dea', OWNER)).body.html).toBe('<p>abad1dea</p>\n');
});

test('a text is at most 100,000 characters long', async () => {
  const { render } = await started();
  expect((await render('a'.repeat(100_001), null, {})).status).toBe(400);
  expect((await render('', null, {})).body).toEqual({ html: '' });
});

test('keys lead to the tracker that the project has elsewhere, and numbers where it has none of its own', async () => {
  const withoutIssues = { settings: { issues_access_level: 'disabled' } };
  const { call } = await startSlices(
    [markdownSlice, integrationSlice, issueSlice],
    [userCreated(OWNER), projectCreated(7), projectCreated(8, withoutIssues), projectCreated(9)],
  );
  const tracker = {
    ...{ slug: 'custom-issue-tracker', new_issue_url: 'https://bugs.example.org/new' },
    ...{ issues_url: 'https://bugs.example.org/show?id=:id', project_url: 'https://bugs.example.org' },
    ...{ title: 'Bugs <b>', description: 'all of them' },
  };
  for (const id of [7, 8]) expect((await call(services.set, { ...tracker, id }, OWNER)).status).toBe(200);
  const account = { url: 'https://jira.example.org/', username: 'ada', password: 'word' };
  expect((await call(services.set, { ...account, slug: 'jira', id: 9 }, OWNER)).status).toBe(200);
  const render = async (project: string, text: string) =>
    (await call(renderMarkdown, { text, gfm: true, project: `user1/${project}` }, OWNER)).body.html;
  const html = await render('project7', 'See ENG-1, #1, xENG-1, eng-1, `ENG-2` and a/ENG-3');
  expect(html.match(/<a /g)).toHaveLength(1);
  expect(html).toContain(
    '<a href="https://bugs.example.org/show?id=ENG-1" title="Issue in Bugs &lt;b&gt;: all of them"',
  );
  expect(await render('project8', '#5')).toContain('href="https://bugs.example.org/show?id=5"');
  expect(await render('project9', 'UTF-8 of ENG-1')).toContain(
    'href="https://jira.example.org/browse/ENG-1"',
  );
  await call(services.delete, { id: 9, slug: 'jira' }, OWNER);
  expect(await render('project9', 'ENG-1')).not.toContain('<a ');
});
