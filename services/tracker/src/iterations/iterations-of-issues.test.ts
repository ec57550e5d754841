import { projectBoards } from '@forgelog/contracts/tracker/boards/board.api.ts';
import { issueNotes } from '@forgelog/contracts/tracker/discussions/note.api.ts';
import {
  cloneIssue,
  createIssue,
  getIssue,
  groupIssueStatistics,
  listGroupIssues,
  listIssues,
  listProjectIssues,
  moveIssue,
  updateIssue,
} from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { createIteration, deleteIteration } from '@forgelog/contracts/tracker/iterations/iteration.api.ts';
import { createIterationCadence } from '@forgelog/contracts/tracker/iterations/iteration-cadence.api.ts';
import { issueResourceEvents } from '@forgelog/contracts/tracker/resource-events/resource-event.api.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { boardSlice } from '../boards/board.slice.ts';
import { discussionSlice } from '../discussions/discussion.slice.ts';
import { issueSlice } from '../issues/issue.slice.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { labelSlice } from '../labels/label.slice.ts';
import { resourceEventSlice } from '../resource-events/resource-event.slice.ts';
import { GUEST, OWNER, REPORTER, TEAM, teamEvents } from '../testing/team-events.ts';
import { sweepIterations } from './due-iterations.worker.ts';
import { iterationSlice } from './iteration.slice.ts';

const slices = [
  ...[iterationSlice, issueSlice, labelSlice, boardSlice, discussionSlice([issueTarget])],
  resourceEventSlice([issueTarget]),
];
const one = { id: 7, issue_iid: 1 };

/** Three issues of project 7, one of 8 and one of 9; iterations 1 "Calm", which is current, and 2 "Storm". */
async function started(environment = {}) {
  const now = { today: '2030-01-08' };
  const clock = () => new Date(`${now.today}T12:00:00Z`);
  const { call, ports } = await startSlices(slices, teamEvents, { clock, environment });
  const cadence = { id: TEAM, title: 'Weeks', automatic: false, roll_over: true };
  const { body } = await call(createIterationCadence, cadence, OWNER);
  for (const [title, start_date, due_date] of [
    ['Calm', '2030-01-07', '2030-01-13'],
    ['Storm', '2030-01-14', '2030-01-20'],
  ] as const)
    await call(createIteration, { id: TEAM, cadence_id: body.id, title, start_date, due_date }, OWNER);
  for (const id of [7, 7, 7, 8, 9]) await call(createIssue, { id, title: `In ${id}` }, OWNER);
  const put = (issue_iid: number, iteration_id: number | null, as = REPORTER, id = 7) =>
    call(updateIssue, { id, issue_iid, iteration_id }, as);
  const iterationOf = async (issue_iid: number, id = 7) =>
    (await call(getIssue, { id, issue_iid }, OWNER)).body.iteration?.id ?? null;
  const numbered = (found: { project_id: number; iid: number }[]) =>
    found.map(({ project_id, iid }) => `${project_id}#${iid}`);
  const listed = async (params: object) =>
    numbered((await call(listProjectIssues, { id: 7, sort: 'asc', ...params }, GUEST)).body);
  const say = async (body: string, as = REPORTER) =>
    (await call(issueNotes.create, { ...one, body }, as)).body;
  const sweep = (signal = new AbortController().signal) => sweepIterations(ports, signal);
  return { call, now, put, iterationOf, listed, numbered, say, sweep };
}

test('a reporter puts an issue into an iteration, as it is opened and later, and everyone sees it', async () => {
  const { call, put, iterationOf } = await started();
  const opened = await call(createIssue, { id: 7, title: 'New', iteration_id: 2 }, REPORTER);
  expect(opened).toMatchObject({
    body: { iteration: { id: 2, iid: 2, sequence: 2, group_id: TEAM, title: 'Storm', state: 1 } },
    events: [{ type: 'IssueOpened' }, { type: 'IssueIterationSet', data: { changes: { iterationId: 2 } } }],
  });
  expect((await put(1, 1)).events).toMatchObject([
    { type: 'IssueIterationSet', data: { changes: { iterationId: 1 }, previous: { iterationId: null } } },
  ]);
  expect((await call(getIssue, one, null)).body.iteration).toMatchObject({
    ...{ title: 'Calm', state: 2, start_date: '2030-01-07', due_date: '2030-01-13' },
    web_url: expect.stringMatching(/\/groups\/group50\/-\/iterations\/1$/),
  });
  expect((await put(1, 1)).events).toEqual([]);
  expect((await put(1, 2, GUEST)).status).toBe(403);
  for (const [iteration_id, id] of [
    [404, 7],
    [1, 9],
  ] as const)
    expect(await put(1, iteration_id, REPORTER, id)).toMatchObject({
      ...{ status: 400, body: { message: { iteration_id: ['is invalid'] } }, events: [] },
    });
  await put(1, 0);
  expect(await iterationOf(1)).toBeNull();
  await put(1, 1);
  await call(deleteIteration, { id: TEAM, iteration_id: 1 }, OWNER);
  expect(await iterationOf(1)).toBeNull();
});

test('issues are found by their iteration on all levels, and by that they have none', async () => {
  const { call, put, listed, numbered } = await started();
  await put(1, 1);
  await put(2, 2);
  await put(1, 1, OWNER, 8);
  const filters = [
    [{ iteration_id: 1 }, ['7#1']],
    [{ iteration_id: 404 }, []],
    [{ iteration_id: 'Any' }, ['7#1', '7#2']],
    [{ iteration_id: 'None' }, ['7#3']],
    [{ iteration_title: 'Storm' }, ['7#2']],
    [{ iteration_title: 'storm' }, []],
    [{ iteration_title: 'any' }, ['7#1', '7#2']],
    [{ iteration_title: 'None' }, ['7#3']],
    [{ 'not[iteration_id]': 1 }, ['7#2', '7#3']],
    [{ 'not[iteration_title]': 'Storm' }, ['7#1', '7#3']],
  ] as const;
  for (const [params, found] of filters) expect(await listed(params)).toEqual(found);
  const wide = { sort: 'asc', iteration_id: 1 } as const;
  const inGroup = await call(listGroupIssues, { id: TEAM, ...wide }, GUEST);
  const everywhere = await call(listIssues, { scope: 'all', ...wide }, GUEST);
  for (const { body } of [inGroup, everywhere]) expect(numbered(body)).toEqual(['7#1', '8#1']);
  const none = await call(listIssues, { scope: 'all', sort: 'asc', iteration_id: 'None' }, GUEST);
  expect(numbered(none.body)).toEqual(['7#3', '9#1']);
  const counts = await call(groupIssueStatistics, { id: TEAM, iteration_title: 'Storm' }, GUEST);
  expect(counts.body.statistics.counts).toEqual({ all: 1, closed: 0, opened: 1 });
  await call(deleteIteration, { id: TEAM, iteration_id: 1 }, OWNER);
  expect(await listed({ iteration_id: 'None' })).toEqual(['7#1', '7#3']);
});

test('commands in a text put an issue into an iteration, by title and by id, and take it out', async () => {
  const { call, say, iterationOf } = await started();
  expect(await say('/iteration *iteration:"Storm"')).toMatchObject({
    ...{ commands_changes: { iteration_id: 2 }, summary: ['Set the iteration to *iteration:"Storm".'] },
  });
  expect(await iterationOf(1)).toBe(2);
  for (const [body, id] of [
    ['/iteration *iteration:1', 1],
    ['/iteration *iteration:Storm', 2],
    ['/iteration *iteration:"Nowhere"', 2],
    ['/iteration Calm', 2],
    ['/iteration', 2],
    ['/remove_iteration', null],
  ] as const) {
    await say(body);
    expect(await iterationOf(1)).toBe(id);
  }
  expect((await say('/remove_iteration')).summary).toEqual(['Could not apply remove_iteration command.']);
  expect((await say('/iteration *iteration:1', GUEST)).summary).toEqual([
    'Could not apply iteration command.',
  ]);
  const opened = { id: 7, title: 'New', description: 'Soon.\n/iteration *iteration:"Calm"' };
  const { body } = await call(createIssue, opened, REPORTER);
  expect(body).toMatchObject({ iteration: { id: 1 }, description: 'Soon.' });
});

test('what happened is told by events and by notes of the system', async () => {
  const { call, put } = await started();
  for (const id of [1, 2, null]) await put(1, id);
  const { iteration } = issueResourceEvents;
  const { body: events } = await call(iteration.list, one, null);
  const about = { user: { id: REPORTER }, resource_type: 'Issue' };
  expect(events).toMatchObject([
    { ...about, action: 'add', iteration: { id: 1, title: 'Calm' } },
    { ...about, action: 'add', iteration: { id: 2 } },
    { ...about, action: 'remove', iteration: { id: 2 } },
  ]);
  const event_id = events[0].id;
  expect((await call(iteration.get, { ...one, event_id }, null)).body).toEqual(events[0]);
  expect((await call(iteration.get, { ...one, issue_iid: 2, event_id }, null)).status).toBe(404);
  const notes = async () =>
    (await call(issueNotes.list, { ...one, sort: 'asc' }, GUEST)).body.map(
      ({ body }: { body: string }) => body,
    );
  const names = ['*iteration:"Calm"', '*iteration:"Storm"'];
  expect(await notes()).toEqual([
    ...names.map((name) => `changed iteration to ${name}`),
    'removed iteration',
  ]);
  await call(deleteIteration, { id: TEAM, iteration_id: 1 }, OWNER);
  expect((await notes())[0]).toBe('changed iteration to a deleted iteration');
  expect((await call(iteration.get, { ...one, event_id }, null)).body.iteration).toBeNull();
});

test('open issues go on in the next iteration, whatever interrupts it, and closed ones stay', async () => {
  const { call, now, put, iterationOf, sweep } = await started();
  for (const iid of [1, 2, 3]) await put(iid, 1);
  await call(updateIssue, { id: 7, issue_iid: 2, state_event: 'close' }, OWNER);
  now.today = '2030-01-13';
  await sweep();
  expect(await iterationOf(1)).toBe(1);
  now.today = '2030-01-14';
  const interrupted = new AbortController();
  interrupted.abort();
  await sweep(interrupted.signal);
  expect(await iterationOf(1)).toBe(1);
  await Promise.all([sweep(), sweep()]);
  expect(await Promise.all([1, 2, 3].map((iid) => iterationOf(iid)))).toEqual([2, 1, 2]);
  const { body } = await call(issueResourceEvents.iteration.list, one, null);
  expect(body).toMatchObject([{ iteration: { id: 1 } }, { user: null, iteration: { id: 2 } }]);
  // Who puts an issue into one that is over means it.
  await put(1, 1);
  await sweep();
  expect(await iterationOf(1)).toBe(1);
});

test('a copy is in the iteration where its project can be', async () => {
  const { call, put, iterationOf } = await started();
  await put(1, 1);
  const cloned = await call(cloneIssue, { ...one, to_project_id: 8 }, REPORTER);
  expect(cloned.body.iteration).toMatchObject({ id: 1 });
  const moved = await call(moveIssue, { ...one, to_project_id: 9 }, REPORTER);
  expect(moved.body.iteration).toBeNull();
  expect(await iterationOf(1)).toBe(1);
});

test('a list of a board may be one of an iteration', async () => {
  const { call } = await started();
  await call(projectBoards.create, { id: 7, name: 'Work' }, REPORTER);
  const board = { id: 7, board_id: 1 };
  const made = await call(projectBoards.addList, { ...board, iteration_id: 2 }, REPORTER);
  expect(made).toMatchObject({ status: 201, body: { iteration: { id: 2, title: 'Storm' }, position: 0 } });
  for (const [iteration_id, message] of [
    [2, { iteration: ['has already been taken'] }],
    [404, 'Iteration not found!'],
  ] as const)
    expect(await call(projectBoards.addList, { ...board, iteration_id }, REPORTER)).toMatchObject({
      ...{ status: 400, body: { message }, events: [] },
    });
  await call(deleteIteration, { id: TEAM, iteration_id: 2 }, OWNER);
  expect((await call(projectBoards.listLists, board, GUEST)).body).toEqual([]);
});

test('the free edition neither sets nor shows an iteration, and filters by none', async () => {
  const { call, put, listed, say } = await started({ EDITION: 'free' });
  expect((await put(1, 1)).events).toEqual([]);
  expect((await call(getIssue, one, OWNER)).body).not.toHaveProperty('iteration');
  expect(await listed({ iteration_id: 'Any' })).toHaveLength(3);
  expect((await say('/iteration *iteration:1')).summary).toEqual(['Could not apply iteration command.']);
});
