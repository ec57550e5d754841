import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { UserBlocked, UserCreated, UserDeleted, UserUnblocked, UserUpdated } from './user.events.ts';

export const userLifetime = defineLifetime({
  kind: 'User',
  id: ['userId'],
  begins: [begins(UserCreated, { fixed: { state: 'active' } })],
  changes: changedBy(UserUpdated, UserBlocked, UserUnblocked),
  ends: [endsWith(UserDeleted, ['userId'])],
});
