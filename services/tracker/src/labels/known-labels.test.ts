import { createIssue, getIssue } from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { projectLabels } from '@forgelog/contracts/tracker/labels/label.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { issueSlice } from '../issues/issue.slice.ts';
import { labelSlice } from './label.slice.ts';

const OWNER = 1;

async function started() {
  const { call } = await startSlices(
    [issueSlice, labelSlice],
    [userCreated(OWNER), projectCreated(7), memberAdded(7, OWNER, 50)],
  );
  for (const name of ['bug', 'ui']) await call(projectLabels.create, { id: 7, name, color: '#fff' }, OWNER);
  await call(createIssue, { id: 7, title: 'An issue', labels: ['bug', 'ui'] }, OWNER);
  const shown = async () => (await call(getIssue, { id: 7, issue_iid: 1 }, OWNER)).body.labels;
  expect(await shown()).toEqual(['bug', 'ui']);
  return { call, shown };
}

test('an answer that was read before shows the new title of a label', async () => {
  const { call, shown } = await started();
  await call(projectLabels.update, { id: 7, label_id: 'bug', new_name: 'defect' }, OWNER);
  expect(await shown()).toEqual(['defect', 'ui']);
});

test('a deleted label is shown no more', async () => {
  const { call, shown } = await started();
  await call(projectLabels.delete, { id: 7, label_id: 'bug' }, OWNER);
  expect(await shown()).toEqual(['ui']);
});
