import { auditEventEndpoints } from './admin/audit-event.api.ts';
import { billableMemberEndpoints } from './admin/billable-member.api.ts';
import { groupMemberEndpoints, projectMemberEndpoints } from './admin/member.api.ts';
import { freezePeriodEndpoints } from './ci/freeze-period.api.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { instanceEndpoints } from './gateway/instance.api.ts';

/** Every endpoint there is: a line a slice. */
export const endpoints: readonly AnyEndpoint[] = [
  // gateway
  ...instanceEndpoints,
  // admin
  ...projectMemberEndpoints,
  ...groupMemberEndpoints,
  ...billableMemberEndpoints,
  ...auditEventEndpoints,
  // ci
  ...freezePeriodEndpoints,
];
