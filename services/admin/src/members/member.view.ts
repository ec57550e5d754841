import { memberView, singleMemberView } from '@forgelog/contracts/admin/members/member.views.ts';
import type { DirectoryUser } from '@forgelog/directory/collections.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import { userJson } from '@forgelog/directory/user.view.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { ifPresent } from '@forgelog/service-kit/view-optional.ts';
import type { MemberRow } from './members.collection.ts';

/** The public view of the user, and what they may do. */
export interface ShownMember extends DirectoryUser {
  accessLevel: number | null;
  expiresAt: string | null;
  joinedAt: string | null;
  publicEmail: string | null;
}

/** A member as lists show them [L115]. */
export const memberJson = implementView(memberView).from<ShownMember>({
  ...userJson.members,
  access_level: 'accessLevel',
  expires_at: 'expiresAt',
  email: ifPresent('publicEmail'),
});

/** A member by themselves [L115]: with the time of their joining. */
export const singleMemberJson = implementView(singleMemberView).from<ShownMember>({
  ...userJson.members,
  access_level: 'accessLevel',
  created_at: 'joinedAt',
  expires_at: 'expiresAt',
  email: ifPresent('publicEmail'),
});

export async function shownMember(row: MemberRow, directory: Directory): Promise<ShownMember> {
  const user = await directory.user(row.userId);
  if (!user) throw new Error(`member ${row.key} is nobody`);
  const { accessLevel, expiresAt, createdAt: joinedAt, publicEmail } = row;
  return { ...user, accessLevel, expiresAt, joinedAt, publicEmail };
}
