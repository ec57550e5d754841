import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { type Inhabitant, settleMember, settleProject, settleUser } from '../support/inhabitants.ts';

let forgelog: Forgelog;
let reporter: Inhabitant;
let guest: Inhabitant;
let projectId: number;

beforeAll(async () => {
  forgelog = await startForgelog();
  projectId = await settleProject(forgelog, 'tracked');
  reporter = await settleUser(forgelog, 'rita');
  guest = await settleUser(forgelog, 'gus');
  await settleMember(forgelog, projectId, reporter, 20);
  await settleMember(forgelog, projectId, guest, 10);
});
afterAll(() => forgelog.stop());

test('an issue is opened, read, changed, closed, reopened and deleted', async () => {
  const created = await forgelog.post(
    `/projects/${projectId}/issues`,
    {
      title: 'First',
      description: '- [x] a\n- [ ] b',
      labels: 'bug,ui',
      assignee_ids: [guest.id],
      weight: 3,
    },
    reporter.as,
  );
  expect(created.status).toBe(201);
  const path = `/projects/root%2Ftracked/issues/${created.body.iid}`;
  expect((await forgelog.get(path, reporter.as)).body).toEqual(created.body);
  expect((await forgelog.get('/issues?scope=all')).body).toHaveLength(1);
});
