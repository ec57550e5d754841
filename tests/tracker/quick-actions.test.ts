import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser, type TestUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';
import { newProject, type TestProject } from '../support/repositories.ts';

let forgelog: Forgelog;
let reporter: TestUser;
beforeAll(async () => {
  forgelog = await startForgelog();
  reporter = await createUser(forgelog);
});
afterAll(() => forgelog.stop());

const commit = ({ at }: TestProject, branch: string, file_path: string, more: object = {}) =>
  must(
    forgelog.post(`${at}/commits`, {
      ...{ branch, commit_message: `Add ${file_path}`, ...more },
      actions: [{ action: 'create', file_path, content: 'text' }],
    }),
  );

test('a note rebases and merges a request, as far as its writer may', async () => {
  const of = await newProject(forgelog, 'commanded');
  await commit(of, 'main', 'a.txt');
  await commit(of, 'topic', 'b.txt', { start_branch: 'main' });
  await must(forgelog.post(`/projects/${of.id}/members`, { user_id: reporter.id, access_level: 20 }));
  const branches = { source_branch: 'topic', target_branch: 'main', title: 'Merge topic' };
  const { iid, sha } = await must(forgelog.post(`/projects/${of.id}/merge_requests`, branches));
  const { id: moved } = await commit(of, 'main', 'c.txt');
  const request = `/projects/${of.id}/merge_requests/${iid}`;
  const say = (body: string, as?: TestUser) => forgelog.post(`${request}/notes`, { body }, as);
  const refused = await say('/rebase\n/merge', reporter);
  expect([refused.status, refused.body.summary]).toEqual([
    202,
    ['Could not apply rebase command. Could not apply merge command.'],
  ]);
  expect((await say('/rebase')).body.summary).toEqual(['Rebased the branch topic.']);
  const rebased = await must(forgelog.get(request));
  expect(rebased.sha).not.toBe(sha);
  expect((await must(forgelog.get(`${of.at}/commits/${rebased.sha}`))).parent_ids).toEqual([moved]);
  const merged = await say('Well done\n\n/spend 1h\n/merge');
  expect(merged.body).toMatchObject({
    body: 'Well done',
    commands_changes: { merge: rebased.sha, spend_time: { duration: 3600 } },
  });
  const after = await must(forgelog.get(request));
  expect(after).toMatchObject({ state: 'merged', time_stats: { total_time_spent: 3600 } });
  expect((await say('/merge')).body.summary).toEqual(['Could not apply merge command.']);
});

test('what many write at once to one issue all happens', async () => {
  const { id } = await newProject(forgelog, 'crowded');
  const { iid } = await must(forgelog.post(`/projects/${id}/issues`, { title: 'Crowded' }));
  const issue = `/projects/${id}/issues/${iid}`;
  const numbers = Array.from({ length: 20 }, (_, at) => at);
  const replies = await Promise.all(
    numbers.map((at) => forgelog.post(`${issue}/notes`, { body: `/label ~l${at}\n/spend 1m` })),
  );
  expect(replies.map(({ status }) => status)).toEqual(numbers.map(() => 202));
  const { labels, time_stats } = await must(forgelog.get(issue));
  expect([labels.length, time_stats.total_time_spent]).toEqual([20, 1200]);
});
