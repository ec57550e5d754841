import { issueAwards } from '@forgelog/contracts/tracker/award-emoji/award-emoji.api.ts';
import { issueNotes } from '@forgelog/contracts/tracker/discussions/note.api.ts';
import { deleteIssue, listProjectIssues } from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { discussionSlice } from '../discussions/discussion.slice.ts';
import { issueSlice } from '../issues/issue.slice.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { inIssue, issueOpened } from '../testing/issue-events.ts';
import { awardSlice } from './award.slice.ts';
import { awards } from './awards.collection.ts';

const OWNER = 1;
const ANN = 2;
const BOB = 3;
const { onTarget, onNotes } = issueAwards;
const issue = { id: 7, issue_iid: 1 };

const started = () =>
  startSlices(
    [issueSlice, discussionSlice([issueTarget]), awardSlice([issueTarget])],
    [
      ...[OWNER, ANN, BOB].map((id) => userCreated(id)),
      projectCreated(7, { visibility: 'public' }),
      ...[inIssue(issueOpened(1)), inIssue(issueOpened(2))],
    ],
  );

test('who sees an issue reacts to it once with each emoji, and takes it back', async () => {
  const { call } = await started();
  const award = await call(onTarget.create, { ...issue, name: 'tada' }, ANN);
  const shown = { name: 'tada', user: { id: ANN }, awardable_type: 'Issue', awardable_id: 71 };
  expect(award).toMatchObject({ status: 201, body: shown, events: [{ type: 'EmojiAwarded' }] });
  const again = await call(onTarget.create, { ...issue, name: 'tada' }, ANN);
  expect(again.status).toBe(404);
  expect(again.body).toEqual({ message: '404 Award Emoji Name has already been taken Not Found' });
  expect((await call(onTarget.create, { ...issue, name: 'tada' }, BOB)).status).toBe(201);
  expect((await call(onTarget.list, issue, null)).body).toMatchObject([shown, { user: { id: BOB } }]);
  const one = { ...issue, award_id: award.body.id };
  expect((await call(onTarget.get, one, null)).body).toMatchObject(shown);
  expect((await call(onTarget.delete, one, BOB)).status).toBe(403);
  expect((await call(onTarget.delete, one, ANN)).status).toBe(204);
  expect((await call(onTarget.get, one, null)).status).toBe(404);
});

test('two calls at once award one emoji once', async () => {
  const { call } = await started();
  const both = [1, 2].map(() => call(onTarget.create, { ...issue, name: 'tada' }, ANN));
  expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([201, 404]);
});

test('what is no name of an emoji is refused', async () => {
  const { call } = await started();
  for (const name of [':tada:', 'Tada', 'a b', '🎉', '../x'])
    expect([name, (await call(onTarget.create, { ...issue, name }, ANN)).status]).toEqual([name, 404]);
  expect((await call(onTarget.create, { ...issue, name: 'tada' }, null)).status).toBe(401);
});

test('thumbs are counted on the issue, which lists are filtered and ordered by', async () => {
  const { call } = await started();
  const award = await call(onTarget.create, { ...issue, name: '+1' }, ANN);
  expect(award.body.name).toBe('thumbsup');
  await call(onTarget.create, { ...issue, name: 'thumbsup' }, BOB);
  await call(onTarget.create, { ...issue, issue_iid: 2, name: 'thumbsdown' }, BOB);
  const list = async (filters: object, caller = BOB) =>
    (await call(listProjectIssues, { id: 7, ...filters }, caller)).body.map(
      ({ iid, upvotes, downvotes }: Record<string, number>) => [iid, upvotes, downvotes],
    );
  expect(await list({ order_by: 'popularity' })).toEqual([
    [1, 2, 0],
    [2, 0, 1],
  ]);
  expect(await list({ my_reaction_emoji: 'thumbsup' })).toEqual([[1, 2, 0]]);
  expect(await list({ my_reaction_emoji: 'Any' })).toHaveLength(2);
  expect(await list({ my_reaction_emoji: 'None' }, ANN)).toEqual([[2, 0, 1]]);
  await call(onTarget.delete, { ...issue, award_id: award.body.id }, ANN);
  expect(await list({ my_reaction_emoji: 'thumbsup' }, ANN)).toEqual([]);
  expect(await list({ my_reaction_emoji: 'thumbsup' })).toEqual([[1, 1, 0]]);
});

test('reactions to a note are its own, and end with it', async () => {
  const { call } = await started();
  const note = (await call(issueNotes.create, { ...issue, body: 'Nice' }, ANN)).body;
  const onNote = { ...issue, note_id: note.id };
  const award = await call(onNotes.create, { ...onNote, name: 'thumbsup' }, BOB);
  expect(award.body).toMatchObject({ awardable_type: 'Note', awardable_id: note.id });
  expect((await call(onTarget.list, issue, null)).body).toEqual([]);
  expect((await call(onTarget.get, { ...issue, award_id: award.body.id }, null)).status).toBe(404);
  expect((await call(onNotes.list, onNote, null)).body).toHaveLength(1);
  expect((await call(listProjectIssues, { id: 7, iids: [1] }, null)).body).toMatchObject([{ upvotes: 0 }]);
  await call(issueNotes.delete, onNote, ANN);
  expect((await call(onNotes.list, onNote, null)).status).toBe(404);
});

test('with the issue its reactions are gone', async () => {
  const { call, ports } = await started();
  await call(onTarget.create, { ...issue, name: 'tada' }, ANN);
  await call(deleteIssue, issue, OWNER);
  expect(await ports.readStore.count(awards, { atMost: 9 })).toBe(0);
});
