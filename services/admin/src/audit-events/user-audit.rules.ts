import {
  PersonalAccessTokenCreated,
  PersonalAccessTokenRevoked,
} from '@forgelog/contracts/admin/access-tokens/access-token.events.ts';
import {
  UserActivated,
  UserBanned,
  UserBlocked,
  UserCreated,
  UserDeactivated,
  UserDeleted,
  UserUnbanned,
  UserUnblocked,
  UserUpdated,
} from '@forgelog/contracts/admin/users/user.events.ts';
import {
  type AuditEntry,
  type AuditRule,
  audited,
  changeOf,
  flatChanges,
  type KnownNames,
} from './audit-rule.ts';

async function ofUser(
  userId: number,
  known: KnownNames,
  say: (name: string) => Omit<AuditEntry, 'entity' | 'target'>,
): Promise<AuditEntry> {
  const { name } = await known.user(userId);
  return {
    entity: { type: 'User', id: userId },
    target: { type: 'User', id: userId, details: name },
    ...say(name),
  };
}

const tokenKind = (impersonation: boolean) =>
  impersonation ? 'impersonation token' : 'personal access token';

export const userAuditRules: readonly AuditRule[] = [
  audited(UserCreated, async ({ data: { userId, name, admin } }) => ({
    entity: { type: 'User', id: userId },
    target: { type: 'User', id: userId, details: name },
    message: `Created ${admin ? 'administrator' : 'user'} ${name}`,
    add: 'user',
  })),
  audited(UserUpdated, ({ data: { userId, changes } }, known) =>
    ofUser(userId, known, (name) => {
      const flat = flatChanges(changes);
      return { message: `Changed user ${name}: ${Object.keys(flat).join(', ')}`, ...changeOf(flat) };
    }),
  ),
  audited(UserBlocked, ({ data: { userId } }, known) =>
    ofUser(userId, known, (name) => ({
      message: `Blocked user ${name}`,
      change: 'state',
      from: 'active',
      to: 'blocked',
    })),
  ),
  audited(UserUnblocked, ({ data: { userId } }, known) =>
    ofUser(userId, known, (name) => ({
      message: `Unblocked user ${name}`,
      change: 'state',
      from: 'blocked',
      to: 'active',
    })),
  ),
  ...[
    { event: UserDeactivated, done: 'Deactivated', from: 'active', to: 'deactivated' },
    { event: UserActivated, done: 'Activated', from: 'deactivated', to: 'active' },
    { event: UserBanned, done: 'Banned', from: 'active', to: 'banned' },
    { event: UserUnbanned, done: 'Unbanned', from: 'banned', to: 'active' },
  ].map(({ event, done, from, to }) =>
    audited(event, ({ data: { userId } }, known) =>
      ofUser(userId, known, (name) => ({ message: `${done} user ${name}`, change: 'state', from, to })),
    ),
  ),
  audited(UserDeleted, ({ data: { userId, hardDelete } }, known) =>
    ofUser(userId, known, (name) => ({
      message: `Deleted user ${name}${hardDelete ? ' with all that was his' : ''}`,
    })),
  ),
  audited(PersonalAccessTokenCreated, async ({ data }) => ({
    entity: { type: 'User', id: data.userId },
    target: { type: 'PersonalAccessToken', id: data.tokenId, details: data.name },
    message: `Created ${tokenKind(data.impersonation)} ${data.name} with scopes ${data.scopes.join(', ')}`,
    add: tokenKind(data.impersonation),
  })),
  audited(PersonalAccessTokenRevoked, async ({ data }) => ({
    entity: { type: 'User', id: data.userId },
    target: { type: 'PersonalAccessToken', id: data.tokenId, details: data.name },
    message: `Revoked access token ${data.name}`,
  })),
];
