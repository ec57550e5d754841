import { gpgKeyView, ownedSshKeyView, sshKeyView } from '@forgelog/contracts/admin/user-keys/user-key.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived, given } from '@forgelog/service-kit/view-parts.ts';
import { user } from '@forgelog/service-kit/view-placeholders.ts';
import type { UserKeyRow } from './user-keys.projection.ts';

/** The owner of a key, as its text ends with: `Ada (forge.example.org)`. */
export interface KeyOwner {
  comment: string;
}

export const sshKeyJson = implementView(sshKeyView).from<UserKeyRow, KeyOwner>({
  id: 'id',
  title: derived(['title'], (title: string | null) => title ?? ''),
  key: given(({ key }: UserKeyRow, { comment }: KeyOwner) => `${key} ${comment}`),
  created_at: 'createdAt',
  expires_at: 'expiresAt',
});

export const ownedSshKeyJson = implementView(ownedSshKeyView).from<UserKeyRow, KeyOwner>({
  ...sshKeyJson.members,
  user: user('userId'),
});

export const gpgKeyJson = implementView(gpgKeyView).from<UserKeyRow, KeyOwner>({
  id: 'id',
  key: 'key',
  created_at: 'createdAt',
});
