import { projectLabels } from '@forgelog/contracts/tracker/labels/label.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { labelSlice } from './label.slice.ts';

const OWNER = 1;
const REPORTER = 2;
const GUEST = 3;
const given = [
  ...[OWNER, REPORTER, GUEST].map((id) => userCreated(id)),
  projectCreated(7),
  memberAdded(7, REPORTER, 20),
  memberAdded(7, GUEST, 10),
];
const bug = { name: 'bug', color: '#D9534F' };
const started = () => startSlices([labelSlice], given);

test('a reporter creates, changes and deletes a label, by id, title or in the older form', async () => {
  const { call } = await started();
  const created = await call(
    projectLabels.create,
    { id: 7, name: ' bug ', color: 'Red', priority: 2, description: 'a < b' },
    REPORTER,
  );
  expect(created).toMatchObject({
    status: 201,
    body: {
      ...{ id: 1, name: 'bug', color: '#ff0000', text_color: '#FFFFFF', priority: 2, subscribed: false },
      ...{ description: 'a < b', description_html: 'a &lt; b', is_project_label: true },
    },
    events: [{ type: 'LabelCreated', data: { projectId: 7, groupId: null, labelId: 1, title: 'bug' } }],
  });
  for (const label_id of ['1', 'bug'])
    expect((await call(projectLabels.get, { id: 7, label_id }, GUEST)).body).toEqual(created.body);
  const renamed = { name: 'defect', priority: null };
  expect(
    await call(
      projectLabels.update,
      { id: 7, label_id: 'bug', new_name: 'defect', priority: null },
      REPORTER,
    ),
  ).toMatchObject({
    body: renamed,
    events: [{ data: { changes: { title: 'defect' }, previous: { title: 'bug', priority: 2 } } }],
  });
  const older = { id: 7, name: 'defect', color: '#fff' };
  expect((await call(projectLabels.updateNamed, older, REPORTER)).body).toMatchObject({
    ...{ name: 'defect', color: '#ffffff', text_color: '#333333' },
  });
  expect(await call(projectLabels.deleteNamed, { id: 7, name: 'defect' }, REPORTER)).toMatchObject({
    status: 204,
    events: [{ type: 'LabelDeleted', data: { labelId: 1, replacedById: null } }],
  });
  expect(await call(projectLabels.delete, { id: 7, label_id: '1' }, REPORTER)).toMatchObject({
    status: 404,
    body: { message: '404 Label Not Found' },
  });
  expect((await call(projectLabels.create, { id: 7, ...bug }, GUEST)).status).toBe(403);
});

test('what is invalid or taken changes nothing', async () => {
  const { call } = await started();
  await call(projectLabels.create, { id: 7, ...bug }, OWNER);
  await call(projectLabels.create, { id: 7, ...bug, name: 'ui' }, OWNER);
  const answers = [];
  for (const more of [
    bug,
    { ...bug, name: 'a,b' },
    { ...bug, name: ' ' },
    { ...bug, name: 'x', color: 'no' },
  ])
    answers.push(await call(projectLabels.create, { id: 7, ...more }, OWNER));
  answers.push(await call(projectLabels.update, { id: 7, label_id: 'ui', new_name: 'bug' }, OWNER));
  expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
    [409, 'Label already exists'],
    [400, { title: ['is invalid'] }],
    [400, { title: ["can't be blank"] }],
    [400, { color: ['must be a valid color code'] }],
    [400, { title: ['has already been taken'] }],
  ]);
  expect(answers.flatMap(({ events }) => events)).toEqual([]);
});

test('a label is subscribed to once', async () => {
  const { call } = await started();
  await call(projectLabels.create, { id: 7, ...bug }, OWNER);
  const one = { id: 7, label_id: 'bug' };
  expect(await call(projectLabels.subscribe, one, GUEST)).toMatchObject({
    status: 201,
    body: { subscribed: true },
  });
  expect((await call(projectLabels.subscribe, one, GUEST)).status).toBe(304);
  expect((await call(projectLabels.get, one, OWNER)).body.subscribed).toBe(false);
  expect(await call(projectLabels.unsubscribe, one, GUEST)).toMatchObject({ body: { subscribed: false } });
  expect((await call(projectLabels.unsubscribe, one, GUEST)).status).toBe(304);
});
