import type { EventDefinition } from '@forgelog/contracts/event.ts';
import { IssueOpened, IssueUpdated } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import { formerLabelId } from '@forgelog/contracts/tracker/labels/former-label-id.ts';
import type { LabelEvent } from '@forgelog/contracts/tracker/labels/label.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { issueOpened, issueUpdated } from '../testing/issue-events.ts';
import { endedLabels, labels, labelsProjection } from './labels.projection.ts';

const BUG = formerLabelId(7, 'bug');
const deleted = (labelId: number): LabelEvent => ({
  type: 'LabelDeleted',
  data: { labelId, projectId: 7, groupId: null, replacedById: null },
});

test('a label that events only named is one of the project, in the look that all had', async () => {
  const given = givenEvents(
    labelsProjection,
    issueOpened(1, { labels: ['bug', 'ui'] }),
    issueUpdated(1, { labels: ['bug'], labelIds: [BUG] }),
  );
  const look = { projectId: 7, groupId: null, color: '#6699cc', recorded: false, confidential: false };
  const documents = ['bug', 'ui'].map((title) => ({ id: formerLabelId(7, title), title, ...look }));
  await given.thenDocuments(
    labels,
    documents.toSorted((a, b) => a.id - b.id),
  );
});

test('of labels that only confidential issues named, all are confidential until something else names them', async () => {
  const secret = [
    issueOpened(1, { labels: ['bug'], confidential: true }),
    issueUpdated(2, { labels: ['bug'], labelIds: [BUG] }),
  ];
  await givenEvents(labelsProjection, ...secret).thenDocuments(labels, [{ id: BUG, confidential: true }]);
  const open = issueOpened(3, { labels: ['bug'] });
  await givenEvents(labelsProjection, ...secret, open).thenDocuments(labels, [
    { id: BUG, confidential: false },
  ]);
});

test('a deleted label does not come back with an event that names it', async () => {
  const given = givenEvents(
    labelsProjection,
    issueOpened(1, { labels: ['bug'] }),
    deleted(BUG),
    issueOpened(2, { labels: ['bug'] }),
  );
  await given.thenDocuments(labels, []);
  await given.thenDocuments(endedLabels, [{ id: BUG, replacedById: null }]);
});

test('a project takes its labels along', async () => {
  const given = givenEvents(
    labelsProjection,
    ...[issueOpened(1, { labels: ['bug', 'ui'] }), deleted(BUG)],
    projectDeleted(7).event,
  );
  await given.thenDocuments(labels, []);
  await given.thenDocuments(endedLabels, []);
});

function newest({ upcast, version, schema }: EventDefinition, from: number, given: unknown): unknown {
  let data = given;
  for (let at = from; at < version; at++) data = upcast[at]!(data);
  return schema.parse(data);
}

test('issues of older logs get the same ids for the same titles of a project', () => {
  const { labelIds: _, ...first } = issueOpened(1, { labels: ['bug', 'ui'] }).data;
  const opened = newest(IssueOpened, 1, first) as { labelIds: number[] };
  expect(opened.labelIds).toEqual([BUG, formerLabelId(7, 'ui')]);
  expect(opened.labelIds.every(Number.isSafeInteger)).toBe(true);
  const ids = { issueId: 71, projectId: 7, iid: 1, updatedAt: null };
  const changed = newest(IssueUpdated, 1, { ...ids, changes: { labels: ['bug'] } });
  expect(changed).toMatchObject({ changes: { labels: ['bug'], labelIds: [BUG] }, previous: null });
  const untouched = { ...ids, changes: { title: 'T' }, previous: { title: 'S' } };
  expect(newest(IssueUpdated, 2, untouched)).toEqual(untouched);
  expect(formerLabelId(8, 'bug')).not.toBe(BUG);
});
