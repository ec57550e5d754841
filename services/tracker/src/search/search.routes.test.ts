import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { createIssue, updateIssue } from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { projectMilestones } from '@forgelog/contracts/tracker/milestones/milestone.api.ts';
import { searchGroup, searchInstance, searchProject } from '@forgelog/contracts/tracker/search/search.api.ts';
import { isAmong, wordsOf } from '@forgelog/eventing/words.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { issueSlice } from '../issues/issue.slice.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { labelSlice } from '../labels/label.slice.ts';
import { mergeRequestSlice } from '../merge-requests/merge-request.slice.ts';
import { mergeRequestTarget } from '../merge-requests/merge-request.target.ts';
import { milestoneSlice } from '../milestones/milestone.slice.ts';
import { inMergeRequest, mergeRequestCreated } from '../testing/merge-request-events.ts';
import { mergesSlice } from '../testing/merges.slice.ts';
import { searchSlice } from './search.slice.ts';

const [OWNER, REPORTER, GUEST, STRANGER, EXTERNAL, ADMIN] = [1, 2, 3, 4, 5, 6];
const PEOPLE = [OWNER, REPORTER, GUEST, STRANGER, EXTERNAL, ADMIN];
const [OPEN, CLOSED, INTERNAL, ISSUES_PRIVATE, NO_ISSUES, SHUT] = [7, 8, 9, 10, 11, 12];
const given = [
  ...PEOPLE.map((id) => userCreated(id, { external: id === EXTERNAL, admin: id === ADMIN })),
  projectCreated(OPEN, { visibility: 'public' }),
  projectCreated(CLOSED),
  projectCreated(INTERNAL, { visibility: 'internal' }),
  projectCreated(ISSUES_PRIVATE, { visibility: 'public', settings: { issues_access_level: 'private' } }),
  projectCreated(NO_ISSUES, { visibility: 'public', settings: { issues_access_level: 'disabled' } }),
  projectCreated(SHUT, {
    visibility: 'public',
    settings: { issues_access_level: 'private', merge_requests_access_level: 'private' },
  }),
  ...[OPEN, CLOSED].flatMap((id) => [memberAdded(id, REPORTER, 20), memberAdded(id, GUEST, 10)]),
];
const kinds = [issueTarget, mergeRequestTarget];
const started = (more: typeof given = []) =>
  startSlices(
    [issueSlice, labelSlice, milestoneSlice, mergeRequestSlice, searchSlice(kinds), mergesSlice().slice],
    [...given, ...more],
  );
type Call = Awaited<ReturnType<typeof started>>['call'];

async function titles(
  call: Call,
  as: number,
  params: Record<string, unknown>,
  endpoint: AnyEndpoint = searchInstance,
): Promise<string[]> {
  const { status, body, headers } = await call(endpoint, { scope: 'issues', ...params }, as);
  expect(status).toBe(200);
  // A count tells no more than the page.
  expect(Number(headers['x-total'])).toBe(body.length);
  return body.map(({ title }: { title: string }) => title);
}

describe('issues', () => {
  async function opened() {
    const { call } = await started();
    const open = (id: number, title: string, more: object = {}, as = OWNER) =>
      call(createIssue, { id, title, ...more }, as);
    await open(OPEN, 'engine open');
    await open(OPEN, 'engine secret', { confidential: true });
    await open(OPEN, 'engine given', { confidential: true, assignee_ids: [GUEST] });
    await open(OPEN, 'engine own', { confidential: true }, STRANGER);
    await open(CLOSED, 'engine closed');
    await open(INTERNAL, 'engine internal');
    await open(ISSUES_PRIVATE, 'engine members');
    await open(OPEN, 'something else', { description: 'about the ENGINE' });
    return call;
  }

  test('are found as far as the caller may read them, everywhere', async () => {
    const call = await opened();
    const everywhere = (as: number) =>
      titles(call, as, { search: 'engine', order_by: 'created_at', sort: 'asc' });
    const all = [
      ...['engine open', 'engine secret', 'engine given', 'engine own', 'engine closed', 'engine internal'],
      ...['engine members', 'something else'],
    ];
    expect(await everywhere(OWNER)).toEqual(all);
    expect(await everywhere(ADMIN)).toEqual(all);
    expect(await everywhere(REPORTER)).toEqual(all.filter((title) => title !== 'engine members'));
    expect(await everywhere(GUEST)).toEqual([
      ...['engine open', 'engine given', 'engine closed', 'engine internal', 'something else'],
    ]);
    expect(await everywhere(STRANGER)).toEqual([
      ...['engine open', 'engine own', 'engine internal', 'something else'],
    ]);
    expect(await everywhere(EXTERNAL)).toEqual(['engine open', 'something else']);
    expect((await call(searchInstance, { scope: 'issues', search: 'engine' }, null)).status).toBe(401);
  });

  test.each([
    ['plain', searchProject.plain],
    ['dashed', searchProject.dashed],
  ])('are found in a project, as the caller may read them there: %s', async (_, endpoint) => {
    const call = await opened();
    const inside = (id: number, as: number) => titles(call, as, { id, search: 'engine' }, endpoint);
    expect(await inside(OPEN, STRANGER)).toEqual(['engine own', 'engine open', 'something else']);
    expect(await inside(OPEN, REPORTER)).toHaveLength(5);
    expect(await inside(ISSUES_PRIVATE, STRANGER)).toEqual([]);
    expect(await inside(ISSUES_PRIVATE, OWNER)).toEqual(['engine members']);
    expect(await inside(NO_ISSUES, OWNER)).toEqual([]);
    for (const id of [CLOSED, 99])
      expect(await call(endpoint, { id, scope: 'issues', search: 'engine' }, STRANGER)).toMatchObject({
        ...{ status: 404, body: { message: '404 Project Not Found' } },
      });
    expect((await call(endpoint, { id: OPEN, scope: 'issues', search: 'engine' }, null)).status).toBe(401);
  });

  test('come the best first, and are narrowed by state and confidentiality', async () => {
    const call = await opened();
    const found = (params: object) => titles(call, OWNER, { id: OPEN, ...params }, searchProject.dashed);
    // Newer than the others, but only its description has the word.
    expect((await found({ search: 'engine' })).at(-1)).toBe('something else');
    expect((await found({ search: 'engine', sort: 'desc' }))[0]).toBe('something else');
    expect(await found({ search: 'some engine' })).toEqual(['something else']);
    expect(await found({ search: 'engine', confidential: true })).toHaveLength(3);
    expect(await found({ search: 'engine', confidential: false })).toEqual(['engine open', 'something else']);
    await call(updateIssue, { id: OPEN, issue_iid: 1, state_event: 'close' }, OWNER);
    expect(await found({ search: 'engine', state: 'closed' })).toEqual(['engine open']);
    expect(await found({ search: 'engine', state: 'merged' })).toEqual([]);
    expect(await found({ search: 'engine', state: 'all' })).toHaveLength(5);
  });

  test('follow what becomes of them', async () => {
    const call = await opened();
    const found = (search: string, as = STRANGER) => titles(call, as, { search });
    await call(updateIssue, { id: OPEN, issue_iid: 1, title: 'motor open' }, OWNER);
    expect(await found('motor')).toEqual(['motor open']);
    expect(await found('engine open')).toEqual([]);
    await call(updateIssue, { id: OPEN, issue_iid: 1, confidential: true }, OWNER);
    expect(await found('motor')).toEqual([]);
    expect(await found('motor', REPORTER)).toEqual(['motor open']);
  });

  test('pages by number and by cursor tell the same, across both ranks', async () => {
    const { call } = await started();
    for (const at of [1, 2, 3, 4, 5, 6, 7])
      await call(
        createIssue,
        at % 2 ? { id: OPEN, title: `word ${at}` } : { id: OPEN, title: `${at}`, description: 'word' },
        OWNER,
      );
    const ask = async (params: object) => {
      const wanted = { scope: 'issues', search: 'word', per_page: 3, ...params };
      const { body, headers } = await call(searchInstance, wanted, GUEST);
      return { iids: body.map(({ iid }: { iid: number }) => iid), headers };
    };
    const byNumber: number[] = [];
    for (const page of [1, 2, 3]) byNumber.push(...(await ask({ page })).iids);
    expect(byNumber).toEqual([7, 5, 3, 1, 6, 4, 2]);
    expect((await ask({ page: 1 })).headers['x-total']).toBe('7');
    expect((await ask({ page: 4 })).iids).toEqual([]);
    const byCursor: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { iids, headers } = await ask({ pagination: 'keyset', ...(cursor && { cursor }) });
      byCursor.push(...iids);
      const next = /[?&]cursor=([^&>]+)/.exec(String(headers.link ?? ''));
      cursor = next && decodeURIComponent(next[1]!);
    }
    expect(byCursor).toEqual(byNumber);
  });

  test('are what a scan of all texts finds', { timeout: 60_000 }, async () => {
    const { call } = await started();
    const word = fc.constantFrom(
      'fix',
      'Fixed',
      'fiX',
      'flaky',
      'fl',
      'Ärger',
      'arg',
      'über',
      'x-ray',
      'C++',
      '検索',
      'a_b',
    );
    const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
    const texts = fc.sample(fc.tuple(text, text, fc.boolean()), { numRuns: 60, seed: 5 });
    for (const [title, description, confidential] of texts)
      await call(createIssue, { id: OPEN, title, description, confidential }, OWNER);
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(OWNER, GUEST), async (search, as) => {
        const words = wordsOf(search);
        const wanted = texts.flatMap(([title, description, confidential], at) => {
          const held = [...wordsOf(title), ...wordsOf(description)];
          return words.every((each) => isAmong(each, held)) && (as === OWNER || !confidential)
            ? [at + 1]
            : [];
        });
        const asked = { scope: 'issues', search, per_page: 100, order_by: 'created_at', sort: 'asc' };
        const { body } = await call(searchInstance, asked, as);
        expect(body.map(({ iid }: { iid: number }) => iid)).toEqual(wanted);
      }),
      { numRuns: 60 },
    );
  });
});

test('merge requests are found where their code may be read', async () => {
  const requests = [OPEN, CLOSED].map((projectId) =>
    inMergeRequest(
      mergeRequestCreated(1, {
        projectId,
        mergeRequestId: projectId,
        sourceProjectId: projectId,
        title: 'Tune the engine',
      }),
    ),
  );
  const { call } = await started(requests);
  const found = async (as: number, params: object = {}) => {
    const asked = { scope: 'merge_requests', search: 'engine', ...params };
    const { body } = await call(searchInstance, asked, as);
    return body.map(({ project_id }: { project_id: number }) => project_id).sort();
  };
  expect(await found(REPORTER)).toEqual([OPEN, CLOSED]);
  // Guests of a private project do not see its code.
  expect(await found(GUEST)).toEqual([OPEN]);
  expect(await found(STRANGER)).toEqual([OPEN]);
  expect(await found(OWNER, { state: 'merged' })).toEqual([]);
  const inside = { id: CLOSED, scope: 'merge_requests', search: 'engine' };
  expect((await call(searchProject.dashed, inside, GUEST)).body).toEqual([]);
  expect((await call(searchProject.dashed, inside, REPORTER)).body).toHaveLength(1);
});

test('milestones are found where issues or merge requests are open to the caller', async () => {
  const { call } = await started();
  for (const id of [OPEN, CLOSED, INTERNAL, SHUT])
    await call(
      projectMilestones.create,
      { id, title: `1.${id}`, description: 'Release of the engine' },
      OWNER,
    );
  const found = (as: number) => titles(call, as, { scope: 'milestones', search: 'engine' });
  expect(await found(OWNER)).toEqual(['1.12', '1.9', '1.8', '1.7']);
  expect(await found(GUEST)).toEqual(['1.9', '1.8', '1.7']);
  expect(await found(STRANGER)).toEqual(['1.9', '1.7']);
  expect(await found(EXTERNAL)).toEqual(['1.7']);
});

describe('what is asked wrongly', () => {
  test.each([
    [{}, 'scope is missing, search is missing'],
    [{ scope: 'issues' }, 'search is missing'],
    [{ scope: 'issues', search: '' }, 'search is empty'],
    [{ scope: 'issues', search: ' \t\n' }, 'search is empty'],
    [{ scope: 'issues', search: '"*" +++ 🙂' }, 'search has no letter or digit to look for'],
    [{ scope: 'issues', search: '\u200b\u202e' }, 'search has no letter or digit to look for'],
    [{ scope: 'issues', search: 'x'.repeat(4097) }, 'search is too long (maximum is 4096 characters)'],
    [
      { scope: 'issues', search: Array.from({ length: 33 }, (_, at) => `w${at}`).join(' ') },
      'search has too many words (maximum is 32)',
    ],
    [{ scope: 'issues', search: 'nul\0byte' }, 'search is invalid'],
    [{ scope: 'everything', search: 'x' }, 'scope does not have a valid value'],
    [{ scope: 'issues', search: 'x', order_by: 'rank' }, 'order_by does not have a valid value'],
    [{ scope: 'issues', search: 'x', state: 'lost' }, 'state does not have a valid value'],
    [{ scope: 'issues', search: 'x', confidential: 'perhaps' }, 'confidential is invalid'],
  ])('%.80j is refused', async (params, error) => {
    const { call } = await started();
    expect(await call(searchInstance, params, GUEST)).toMatchObject({ status: 400, body: { error } });
  });

  test('a scope that the place does not have is refused', async () => {
    const { call } = await started();
    for (const scope of ['projects', 'snippet_titles'])
      expect(await call(searchProject.plain, { id: OPEN, scope, search: 'x' }, GUEST)).toMatchObject({
        ...{ status: 400, body: { error: 'scope does not have a valid value' } },
      });
    expect((await call(searchGroup.plain, { id: 99, scope: 'issues', search: 'x' }, GUEST)).status).toBe(404);
  });

  test.each([
    'a" OR "b',
    'title:engine',
    'engine*',
    'NEAR(engine open, 5)',
    'engine AND NOT open',
    "engine'; DROP TABLE issues; --",
    '^engine',
    '\u202eengine\u202c',
    'en\u200bgine',
    '%engine_',
    `${'engine '.repeat(500)}`,
  ])('%.40j is nothing but words', async (search) => {
    const { call } = await started();
    await call(createIssue, { id: OPEN, title: search.slice(0, 200) }, OWNER);
    await call(createIssue, { id: OPEN, title: 'another' }, OWNER);
    expect(await titles(call, GUEST, { search })).toEqual([search.slice(0, 200).trim()]);
  });
});
