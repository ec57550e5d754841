import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

let projects = 0;

/** A project with these templates, and a merge request of three commits. */
async function requested(templates: object) {
  const made = { name: `messages-${++projects}`, initialize_with_readme: true, ...templates };
  const { id, path_with_namespace: path } = await must(forgelog.post('/projects', made));
  for (const [at, commit_message] of ['One', 'Two\n\nWith more.\nAnd more.', 'Three'].entries()) {
    const actions = [{ action: 'create', file_path: `${at}.txt`, content: 'x' }];
    const start = at === 0 ? { start_branch: 'main' } : {};
    const change = { branch: 'topic', ...start, commit_message, actions };
    await must(forgelog.post(`/projects/${id}/repository/commits`, change));
  }
  const opened = { source_branch: 'topic', target_branch: 'main', title: 'The %{url}' };
  const given = { ...opened, description: 'Closes #7, #8' };
  const { iid } = await must(forgelog.post(`/projects/${id}/merge_requests`, given));
  return {
    ...{ id, iid, path, at: `/projects/${id}/merge_requests/${iid}` },
    messageOf: async (sha: string) =>
      (await must(forgelog.get(`/projects/${id}/repository/commits/${sha}`))).message,
  };
}

test('merges take their messages from the templates of the project', async () => {
  const merge_commit_template = [
    '%{title} (%{source_branch} into %{target_branch})',
    '%{description}\n%{issues}\n\n%{reviewed_by}\n\n%{reference} %{local_reference} %{unknown}',
    '%{approved_by}\nBy %{merge_request_author}, merged by %{merged_by}',
    '%{first_commit}: %{first_multiline_commit_description}',
  ].join('\n\n');
  const squash_commit_template = 'Squash\n\n%{all_commits}';
  const { id, iid, path, at, messageOf } = await requested({ merge_commit_template, squash_commit_template });
  const approver = await createUser(forgelog, { name: 'Grace' });
  await must(forgelog.post(`/projects/${id}/members`, { user_id: approver.id, access_level: 30 }));
  await must(forgelog.post(`${at}/approve`, {}, { token: approver.token }));
  const { email, name } = await must(forgelog.get('/user'));
  const { merge_commit_sha, squash_commit_sha } = await must(forgelog.put(`${at}/merge`, { squash: true }));
  expect(await messageOf(merge_commit_sha)).toBe(
    [
      'The %{url} (topic into main)',
      `Closes #7, #8\nCloses #7 and #8\n\n${path}!${iid} !${iid} %{unknown}`,
      `Approved-by: Grace <${approver.email}>\nBy ${name} <${email}>, merged by ${name} <${email}>`,
      'One: With more.\nAnd more.\n',
    ].join('\n\n'),
  );
  expect(await messageOf(squash_commit_sha)).toBe(
    'Squash\n\n* One\n\n* Two\n\nWith more.\nAnd more.\n\n* Three\n',
  );
});

test('a message of the caller counts, and templates can be given up', async () => {
  const own = await requested({ merge_commit_template: 'Template' });
  const merged = await must(forgelog.put(`${own.at}/merge`, { merge_commit_message: 'Mine %{title}' }));
  expect(await own.messageOf(merged.merge_commit_sha)).toBe('Mine %{title}\n');
  const without = await requested({ merge_commit_template: 'Template' });
  const cleared = await must(forgelog.put(`/projects/${without.id}`, { merge_commit_template: null }));
  expect(cleared).toMatchObject({ merge_commit_template: null, squash_commit_template: null });
  const usual = await must(forgelog.put(`${without.at}/merge`));
  expect(await without.messageOf(usual.merge_commit_sha)).toBe(
    `Merge branch 'topic' into 'main'\n\nThe %{url}\n\nCloses #7 and #8\n\nSee merge request ${without.path}!1\n`,
  );
});

test.each(['\u0007', '\u001b[31m', '\0', 'x'.repeat(501)])('the template %j is refused', async (template) => {
  const { id } = await must(forgelog.post('/projects', { name: `refused-${++projects}` }));
  for (const name of ['merge_commit_template', 'squash_commit_template']) {
    expect((await forgelog.put(`/projects/${id}`, { [name]: template })).status).toBe(400);
    expect((await forgelog.get(`/projects/${id}`)).body[name]).toBeNull();
  }
});
