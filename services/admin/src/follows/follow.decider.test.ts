import type { FollowEvent } from '@forgelog/contracts/admin/follows/follow.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { followDecider as decider, type FollowCommand } from './follow.decider.ts';

const data = { followerId: 2, userId: 3 };
const followed: FollowEvent = { type: 'UserFollowed', data };
const unfollowed: FollowEvent = { type: 'UserUnfollowed', data };
const follow: FollowCommand = { type: 'FollowUser', ...data };
const unfollow: FollowCommand = { type: 'UnfollowUser', ...data };

test('a user follows another once, and again after they stopped', () => {
  given(decider).when(follow).thenEvents(followed);
  given(decider, followed).when(follow).thenEvents();
  given(decider).when(unfollow).thenEvents();
  given(decider, followed).when(unfollow).thenEvents(unfollowed);
  given(decider, followed, unfollowed).when(follow).thenEvents(followed);
});

test('nobody follows themselves', () => {
  given(decider)
    .when({ ...follow, userId: 2 })
    .thenEvents();
});
