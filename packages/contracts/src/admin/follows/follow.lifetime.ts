import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { UserDeleted } from '../users/user.events.ts';
import { UserFollowed, UserUnfollowed } from './follow.events.ts';

export const followLifetime = defineLifetime({
  kind: 'Follow',
  id: ['followerId', 'userId'],
  begins: [begins(UserFollowed)],
  ends: [
    endsWith(UserUnfollowed, ['followerId', 'userId']),
    endsWith(UserDeleted, ['userId']),
    endsWith(UserDeleted, { followerId: 'userId' }),
  ],
});
