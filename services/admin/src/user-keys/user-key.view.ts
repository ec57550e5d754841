import {
  foundSshKeyView,
  gpgKeyView,
  ownedSshKeyView,
  sshKeyView,
} from '@forgelog/contracts/admin/user-keys/user-key.api.ts';
import type { userView } from '@forgelog/contracts/views.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { ifGiven } from '@forgelog/service-kit/view-optional.ts';
import { derived, given } from '@forgelog/service-kit/view-parts.ts';
import { placeholder, user } from '@forgelog/service-kit/view-placeholders.ts';
import type { z } from 'zod';
import type { DeployKeyProjectRow, DeployKeyRow } from '../deploy-keys/deploy-keys.projection.ts';
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

/** A key of machines, where keys of users are looked for. Whoever added it may be gone. */
export const foundDeployKeyJson = implementView(foundSshKeyView).from<
  DeployKeyRow,
  { enabled: readonly DeployKeyProjectRow[] }
>({
  id: 'id',
  title: 'title',
  key: 'key',
  created_at: 'createdAt',
  expires_at: null,
  user: placeholder<z.output<typeof userView> | null>('u')('addedBy'),
  deploy_keys_projects: ifGiven((_: DeployKeyRow, { enabled }) =>
    enabled.map(({ deployKeyId, projectId, canPush, createdAt, updatedAt }) => ({
      ...{ deploy_key_id: deployKeyId, project_id: projectId, can_push: canPush },
      ...{ created_at: createdAt, updated_at: updatedAt },
    })),
  ),
});
