import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { UserDeleted } from '../users/user.events.ts';
import { UserKeyCreated, UserKeyDeleted } from './user-key.events.ts';

export const userKeyLifetime = defineLifetime({
  kind: 'UserKey',
  id: ['userKeyId'],
  begins: [begins(UserKeyCreated)],
  ends: [endsWith(UserKeyDeleted, ['userKeyId']), endsWith(UserDeleted, ['userId'])],
});
