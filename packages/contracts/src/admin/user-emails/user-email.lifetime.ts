import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { UserDeleted } from '../users/user.events.ts';
import { UserEmailConfirmed, UserEmailCreated, UserEmailDeleted } from './user-email.events.ts';

export const userEmailLifetime = defineLifetime({
  kind: 'UserEmail',
  id: ['userEmailId'],
  begins: [begins(UserEmailCreated)],
  changes: changedBy(UserEmailConfirmed),
  ends: [endsWith(UserEmailDeleted, ['userEmailId']), endsWith(UserDeleted, ['userId'])],
});
