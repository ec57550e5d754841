import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
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
} from './user.events.ts';

export const userLifetime = defineLifetime({
  kind: 'User',
  id: ['userId'],
  begins: [begins(UserCreated, { fixed: { state: 'active' } })],
  changes: changedBy(
    ...[UserUpdated, UserBlocked, UserUnblocked, UserDeactivated, UserActivated, UserBanned, UserUnbanned],
  ),
  ends: [endsWith(UserDeleted, ['userId'])],
});
