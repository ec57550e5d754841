import type { FollowEvent } from '@forgelog/contracts/admin/follows/follow.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

export interface FollowCommand {
  type: 'FollowUser' | 'UnfollowUser';
  followerId: number;
  userId: number;
}

export const followStream = (followerId: number, userId: number) => `follow-${followerId}-${userId}`;

/** Whether one follows the other. Nobody follows themselves. */
export const followDecider: Decider<boolean, FollowCommand, FollowEvent> = {
  initialState: false,
  decide({ type, followerId, userId }, follows) {
    if ((type === 'FollowUser') === follows || followerId === userId) return [];
    return [{ type: follows ? 'UserUnfollowed' : 'UserFollowed', data: { followerId, userId } }];
  },
  evolve: (_, { type }) => type === 'UserFollowed',
};
