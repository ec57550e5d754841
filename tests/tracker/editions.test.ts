import { expect, test } from 'vitest';
import { forgelogForTest } from '../support/forgelog.ts';
import { settleMember, settleProject, settleUser } from '../support/inhabitants.ts';

async function start(EDITION: string) {
  const forgelog = await forgelogForTest({ environment: { EDITION } });
  const projectId = await settleProject(forgelog, 'p');
  const people = [await settleUser(forgelog, 'ann'), await settleUser(forgelog, 'ben')];
  for (const person of people) await settleMember(forgelog, projectId, person, 20);
  const list = `/projects/${projectId}/issues`;
  const assignee_ids = people.map(({ id }) => id);
  const issue = await forgelog.post(list, { title: 'x', weight: 7, assignee_ids });
  return { forgelog, list, issue: issue.body };
}

const BOTH = 'assignee_username[]=ann&assignee_username[]=ben';

test('the community edition knows one assignee and no weights', async () => {
  const { forgelog, list, issue } = await start('free');
  for (const field of ['weight', 'epic', 'epic_iid', 'health_status'])
    expect(issue).not.toHaveProperty(field);
  expect(issue.assignees).toHaveLength(1);
  for (const path of ['/issues', list])
    expect(await forgelog.get(`${path}?${BOTH}`)).toMatchObject({
      status: 400,
      body: { error: 'assignee_username allows one value, but found 2: ann, ben' },
    });
  expect((await forgelog.get(`${list}?not[assignee_username]=ann,ben`)).status).toBe(400);
  expect((await forgelog.get(`${list}?assignee_username=ann`)).body).toHaveLength(1);
  // What only a higher edition filters by is no parameter here.
  for (const filter of ['weight=9', 'iteration_id=Any', 'iteration_title=x'])
    expect((await forgelog.get(`${list}?${filter}`)).body).toHaveLength(1);
});

test('premium adds weight and epic, ultimate the health', async () => {
  const premium = await start('premium');
  expect(premium.issue).toMatchObject({ weight: 7, epic: null, epic_iid: null });
  expect(premium.issue).not.toHaveProperty('health_status');
  expect(premium.issue.assignees).toHaveLength(2);
  const { forgelog, list, issue } = await start('ultimate');
  expect(issue).toMatchObject({ weight: 7, epic: null, health_status: null });
  expect((await forgelog.get(`${list}?${BOTH}`)).body).toHaveLength(1);
  expect((await forgelog.get(`${list}?weight=9`)).body).toEqual([]);
});
