import { createBranch } from '@forgelog/contracts/repo/branches/branch.api.ts';
import { createCommit } from '@forgelog/contracts/repo/commits/commit.api.ts';
import {
  createPushRule,
  deletePushRule,
  getPushRule,
  updatePushRule,
} from '@forgelog/contracts/repo/push-rules/push-rule.api.ts';
import { createTag, deleteTag } from '@forgelog/contracts/repo/tags/tag.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { branchSlice } from '../branches/branch.slice.ts';
import { commitSlice } from '../commits/commit.slice.ts';
import { releaseSlice } from '../releases/release.slice.ts';
import { tagSlice } from '../tags/tag.slice.ts';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { pushRuleSlice } from './push-rule.slice.ts';

const OWNER = 1;
const MAINTAINER = 2;
const DEVELOPER = 3;
const OUTSIDER = 4;
const given = [
  ...[OWNER, MAINTAINER, DEVELOPER, OUTSIDER].map((id) => userCreated(id)),
  projectCreated(7),
  memberAdded(7, MAINTAINER, 40),
  memberAdded(7, DEVELOPER, 30),
];
const started = () =>
  startRepoSlices([pushRuleSlice, branchSlice, tagSlice, releaseSlice, commitSlice], given);
const one = { id: 7 };

test('a maintainer creates, reads, changes and deletes the push rule', async () => {
  const { call } = await started();
  expect(await call(getPushRule, one, MAINTAINER)).toMatchObject({ status: 200, body: null });
  expect(await call(updatePushRule, { ...one, max_file_size: 1 }, MAINTAINER)).toMatchObject({ status: 404 });
  const created = await call(
    createPushRule,
    { ...one, commit_message_regex: '^A', member_check: true },
    OWNER,
  );
  expect(created).toMatchObject({
    status: 201,
    body: { id: 1, project_id: 7, commit_message_regex: '^A', member_check: true, max_file_size: 0 },
  });
  expect((await call(createPushRule, one, OWNER)).status).toBe(422);
  const changes = { commit_message_regex: '', max_file_size: 3 };
  expect(await call(updatePushRule, { ...one, ...changes }, MAINTAINER)).toMatchObject({
    status: 200,
    body: { ...created.body, commit_message_regex: null, max_file_size: 3 },
  });
  expect(await call(updatePushRule, { ...one, branch_name_regex: '(' }, MAINTAINER)).toMatchObject({
    status: 400,
    events: [],
  });
  expect((await call(deletePushRule, one, MAINTAINER)).status).toBe(204);
  expect((await call(getPushRule, one, MAINTAINER)).body).toBeNull();
});

test('developers are refused, and others do not see the project', async () => {
  const { call } = await started();
  const statuses = [];
  for (const caller of [DEVELOPER, OUTSIDER, null])
    for (const endpoint of [getPushRule, createPushRule])
      statuses.push((await call(endpoint, one, caller)).status);
  expect(statuses).toEqual([403, 403, 404, 404, 401, 401]);
});

test.each([
  { rule: { commit_message_regex: '^FIX-\\d+ ' }, problem: 'Commit message does not follow the pattern' },
  {
    rule: { commit_message_negative_regex: 'Change' },
    problem: 'Commit message contains the forbidden pattern',
  },
  { rule: { author_email_regex: '@other\\.org$' }, problem: "Author's email 'user3@example.org' does not" },
  { rule: { file_name_regex: '^x\\.' }, problem: 'File name x.pem was prohibited by the pattern' },
  { rule: { prevent_secrets: true }, problem: 'File name x.pem was prohibited' },
  { rule: { max_file_size: 1 }, problem: 'File "x.pem" is larger than the allowed size of 1 MiB.' },
  { rule: { branch_name_regex: '^fix/' }, problem: 'Branch name does not follow the pattern' },
])('$rule refuses commits of the API as well', async ({ rule, problem }) => {
  const { call, commit, repo } = await started();
  const tip = await commit(7, 'main', { a: '1' });
  await call(createPushRule, { ...one, ...rule }, OWNER);
  const content = 'x'.repeat(1024 * 1024 + 1);
  const change = {
    ...{ id: 7, branch: 'topic', start_branch: 'main', commit_message: 'Change x' },
    actions: [{ action: 'create', file_path: 'x.pem', content }],
  };
  const refused = await call(createCommit, change, DEVELOPER);
  expect(refused).toMatchObject({ status: 400, events: [] });
  expect(refused.body.message).toContain(problem);
  expect(await repo.repositories.of(7).listRefs()).toMatchObject([{ ref: 'refs/heads/main', oid: tip }]);
  await call(deletePushRule, one, OWNER);
  expect((await call(createCommit, change, DEVELOPER)).status).toBe(201);
});

test('commits of the API need no signature, their authors are users, and the default branch has any name', async () => {
  const { call } = await started();
  const rule = { reject_unsigned_commits: true, commit_committer_check: true, member_check: true };
  await call(createPushRule, { ...one, ...rule, branch_name_regex: '^fix/', deny_delete_tag: true }, OWNER);
  const change = { id: 7, branch: 'main', commit_message: 'm' };
  const actions = [{ action: 'create', file_path: 'x', content: 'x' }];
  expect((await call(createCommit, { ...change, actions }, OWNER)).status).toBe(201);
  const stranger = { author_email: 'stranger@example.net', actions: [{ ...actions[0], file_path: 'y' }] };
  expect(await call(createCommit, { ...change, ...stranger }, OWNER)).toMatchObject({
    status: 400,
    body: { message: "Author 'stranger@example.net' is not a member of team" },
  });
  expect((await call(createBranch, { id: 7, branch: 'topic', ref: 'main' }, OWNER)).status).toBe(400);
  expect((await call(createBranch, { id: 7, branch: 'fix/1', ref: 'main' }, OWNER)).status).toBe(201);
  await call(createTag, { id: 7, tag_name: 'v1', ref: 'main' }, OWNER);
  expect((await call(deleteTag, { id: 7, tag_name: 'v1' }, OWNER)).status).toBe(204);
});
