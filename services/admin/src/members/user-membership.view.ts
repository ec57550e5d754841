import { userMembershipView } from '@forgelog/contracts/admin/members/user-membership.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived } from '@forgelog/service-kit/view-parts.ts';
import type { MemberRow } from './members.collection.ts';

export const userMembershipJson = implementView(userMembershipView).from<
  MemberRow & { sourceName: string },
  unknown
>({
  source_id: 'sourceId',
  source_name: 'sourceName',
  source_type: derived(['source'], (source: string) => (source === 'group' ? 'Namespace' : 'Project')),
  access_level: 'accessLevel',
});
