import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { UserCreated, UserDeleted } from './user.events.ts';

export const userLifetime = defineLifetime({
  kind: 'User',
  id: ['userId'],
  begins: [begins(UserCreated)],
  ends: [endsWith(UserDeleted, ['userId'])],
});
