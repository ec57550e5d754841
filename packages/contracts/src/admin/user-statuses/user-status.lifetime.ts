import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { UserDeleted } from '../users/user.events.ts';
import { UserStatusCreated, UserStatusUpdated } from './user-status.events.ts';

export const userStatusLifetime = defineLifetime({
  kind: 'UserStatus',
  id: ['userId'],
  begins: [begins(UserStatusCreated)],
  changes: changedBy(UserStatusUpdated),
  ends: [endsWith(UserDeleted, ['userId'])],
});
