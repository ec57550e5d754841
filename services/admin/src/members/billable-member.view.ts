import {
  billableMembershipView,
  billableMemberView,
} from '@forgelog/contracts/admin/billable-members/billable-member.api.ts';
import type { DirectoryUser } from '@forgelog/directory/collections.ts';
import { userJson } from '@forgelog/directory/user.view.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived, given, host, text } from '@forgelog/service-kit/view-parts.ts';
import { roleTitle } from '../shared/role-titles.ts';
import type { BillableMember } from './billable-member.query.ts';
import type { MemberRow } from './members.collection.ts';

interface BillableShown extends DirectoryUser {
  billable: BillableMember;
  removable: boolean;
}

/** A member who takes a seat [L115]. */
export const billableMemberJson = implementView(billableMemberView).from<BillableShown>({
  ...userJson.members,
  email: given(({ billable }: BillableShown) => billable.user.publicEmail),
  last_activity_on: null,
  membership_type: given(({ billable }: BillableShown) => billable.membershipType),
  removable: 'removable',
  created_at: given(({ billable }: BillableShown) => billable.user.createdAt),
});

/** A membership of one of them, with the name of where it is and the path of the page of its members. */
interface PlacedMembership extends MemberRow {
  sourceName: string;
  membersPath: string;
}

/** Billable membership [L115]: here the access level is an object. */
export const billableMembershipJson = implementView(billableMembershipView).from<PlacedMembership>({
  id: 'id',
  source_id: 'sourceId',
  source_full_name: 'sourceName',
  source_members_url: text`${host}/${'membersPath'}`,
  created_at: 'createdAt',
  expires_at: 'expiresAt',
  access_level: { string_value: derived(['accessLevel'], roleTitle), integer_value: 'accessLevel' },
});
