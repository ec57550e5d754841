import { expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { forgelogForTest } from '../support/forgelog.ts';
import { must } from '../support/must.ts';

test('a milestone of a group is given to issues and merge requests below, and shown as it is now', async () => {
  const forgelog = await forgelogForTest();
  const { get, post, put } = forgelog;
  const { id: groupId } = await must(post('/groups', { name: 'g', path: 'g', visibility: 'public' }));
  const made = { path: 'p', namespace_id: groupId, initialize_with_readme: true, visibility: 'public' };
  const project = `/projects/${(await must(post('/projects', made))).id}`;
  const other = `/projects/${(await must(post('/projects', { path: 'other' }))).id}`;
  const { id } = await must(
    post(`/groups/${groupId}/milestones`, { title: 'Spring', due_date: '2001-01-01' }),
  );
  const taken = await post(`${project}/milestones`, { title: 'Spring' });
  expect(taken).toMatchObject({
    status: 400,
    body: { message: { title: ['already being used for another group or project milestone.'] } },
  });
  await must(post(`${project}/issues`, { title: 'Planned', milestone_id: id }));
  await must(post(`${project}/issues`, { title: 'Unplanned' }));
  await must(post(`${project}/repository/branches?branch=topic&ref=main`));
  const file = { branch: 'topic', content: 'x', commit_message: 'Add a file' };
  await must(post(`${project}/repository/files/a.txt`, file));
  const branches = { source_branch: 'topic', target_branch: 'main', title: 'Topic' };
  const request = await must(post(`${project}/merge_requests`, { ...branches, milestone_id: id }));
  expect(request.milestone).toMatchObject({ id, group_id: groupId, title: 'Spring', expired: true });
  expect((await post(`${other}/issues`, { title: 'x', milestone_id: id })).status).toBe(400);
  await must(put(`/groups/${groupId}/milestones/${id}`, { title: 'Summer', due_date: '' }));
  await must(put(`/groups/${groupId}`, { path: 'moved' }));
  for (const base of [project, `/groups/${groupId}`])
    for (const kind of ['issues', 'merge_requests']) {
      const [only, ...more] = await must(get(`${base}/${kind}?milestone=Summer&scope=all`));
      expect(more).toEqual([]);
      expect(only.milestone).toMatchObject({ id, title: 'Summer', due_date: null, expired: false });
      expect(only.milestone.web_url).toMatch(/\/groups\/moved\/-\/milestones\/1$/);
      expect(await must(get(`${base}/${kind}?milestone=Spring&scope=all`))).toEqual([]);
    }
  expect(await must(get(`/issues?milestone=None&scope=all`))).toMatchObject([{ title: 'Unplanned' }]);
  const cleared = await must(put(`${project}/merge_requests/${request.iid}`, { milestone_id: 0 }));
  expect(cleared.milestone).toBeNull();
});

test('who is no reporter plans nothing', async () => {
  const forgelog = await forgelogForTest();
  const guest = await createUser(forgelog);
  const project = await must(forgelog.post('/projects', { path: 'p', visibility: 'public' }));
  const at = `/projects/${project.id}`;
  const { id } = await must(forgelog.post(`${at}/milestones`, { title: '1.0' }));
  const wanted = { title: 'Mine', milestone_id: id };
  const issue = await must(forgelog.post(`${at}/issues`, wanted, { token: guest.token }));
  expect(issue.milestone).toBeNull();
});
