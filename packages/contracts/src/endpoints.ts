import { accessTokenEndpoints } from './admin/access-token.api.ts';
import { auditEventEndpoints } from './admin/audit-event.api.ts';
import { billableMemberEndpoints } from './admin/billable-member.api.ts';
import { groupEndpoints } from './admin/group.api.ts';
import { groupMemberEndpoints } from './admin/group-member.api.ts';
import { projectMemberEndpoints } from './admin/project-member.api.ts';
import { userEndpoints } from './admin/user.api.ts';
import { environmentEndpoints } from './ci/environment.api.ts';
import { freezePeriodEndpoints } from './ci/freeze-period.api.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { instanceEndpoints } from './gateway/instance.api.ts';
import { branchEndpoints } from './repo/branch.api.ts';
import { commitEndpoints } from './repo/commit.api.ts';
import { fileEndpoints } from './repo/file.api.ts';
import { projectEndpoints } from './repo/project.api.ts';
import { repositoryEndpoints } from './repo/repository.api.ts';
import { tagEndpoints } from './repo/tag.api.ts';
import { activityEventEndpoints } from './tracker/activity-event.api.ts';
import { discussionEndpoints } from './tracker/discussion.api.ts';
import { issueEndpoints } from './tracker/issue.api.ts';
import { timeTrackingEndpoints } from './tracker/time-tracking.api.ts';
import { todoEndpoints } from './tracker/todo.api.ts';

/** Every endpoint there is: a line a slice. */
export const endpoints: readonly AnyEndpoint[] = [
  // gateway
  ...instanceEndpoints,
  // admin
  ...userEndpoints,
  ...accessTokenEndpoints,
  ...groupEndpoints,
  ...projectMemberEndpoints,
  ...groupMemberEndpoints,
  ...billableMemberEndpoints,
  ...auditEventEndpoints,
  // repo
  ...projectEndpoints,
  ...repositoryEndpoints,
  ...fileEndpoints,
  ...branchEndpoints,
  ...tagEndpoints,
  ...commitEndpoints,
  // tracker
  ...issueEndpoints,
  ...timeTrackingEndpoints,
  ...todoEndpoints,
  ...discussionEndpoints,
  ...activityEventEndpoints,
  // ci
  ...environmentEndpoints,
  ...freezePeriodEndpoints,
];
