import { countUserKeys } from '@forgelog/contracts/admin/user-keys/user-key.operations.ts';
import { USER_BLOCKED } from '@forgelog/contracts/admin/users/user.events.ts';
import { countSnippets } from '@forgelog/contracts/repo/snippets/snippet.operations.ts';
import { createIssue, deleteIssue } from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { projectMilestones } from '@forgelog/contracts/tracker/milestones/milestone.api.ts';
import { getStatistics } from '@forgelog/contracts/tracker/statistics/statistics.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { implementOperation } from '@forgelog/service-kit/operations.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { discussionSlice } from '../discussions/discussion.slice.ts';
import { issueSlice } from '../issues/issue.slice.ts';
import { mergeRequestSlice } from '../merge-requests/merge-request.slice.ts';
import { milestoneSlice } from '../milestones/milestone.slice.ts';
import { statisticsSlice } from './statistics.slice.ts';

const ADMIN = 1;
const ADA = 2;
const BO = 3;
const fork = projectCreated(8);
const given = [
  ...[userCreated(ADMIN, { admin: true }), userCreated(ADA), userCreated(BO)],
  ...[
    projectCreated(7),
    on(fork.stream, { ...fork.event, data: { ...(fork.event.data as object), forkedFromProjectId: 7 } }),
  ],
  on('user-2', { type: 'UserBlocked', data: { userId: ADA, ...USER_BLOCKED } }),
];
/** Stands in for the services that have snippets and keys. */
const others = defineSlice<ServicePorts>({
  operations: [
    () => [
      implementOperation(countSnippets, async () => ({ snippets: 3 })),
      implementOperation(countUserKeys, async ({ request: { kind } }) => ({ keys: kind === 'ssh' ? 2 : 9 })),
    ],
  ],
});

test('administrators read how much there is, without what was deleted', async () => {
  const slices = [
    statisticsSlice,
    issueSlice,
    mergeRequestSlice,
    milestoneSlice,
    discussionSlice([]),
    others,
  ];
  const { call } = await startSlices(slices, given);
  for (const title of ['stays', 'goes']) await call(createIssue, { id: 7, title }, ADMIN);
  await call(deleteIssue, { id: 7, issue_iid: 2 }, ADMIN);
  await call(projectMilestones.create, { id: 7, title: '1.0' }, ADMIN);
  expect(await call(getStatistics, {}, ADMIN)).toMatchObject({
    status: 200,
    body: {
      ...{ forks: '1', issues: '1', merge_requests: '0', notes: '0', snippets: '3', ssh_keys: '2' },
      ...{ milestones: '1', users: '3', groups: '0', projects: '2', active_users: '2' },
    },
  });
  expect((await call(getStatistics, {}, BO)).status).toBe(403);
  expect((await call(getStatistics, {}, null)).status).toBe(401);
});
