import { z } from 'zod';
import { anyone, defineEndpoint, user } from '../../endpoint.ts';
import { userId } from '../../shared/common.params.ts';
import { userView } from '../../views.ts';

const common = { service: 'admin', spec: 'companions 2.2', params: { id: userId } } as const;
const action = { ...common, method: 'POST', access: user, status: 201, response: userView } as const;
const list = {
  ...common,
  method: 'GET',
  access: anyone,
  scopes: ['api', 'read_api', 'read_user'],
  pagination: 'offset',
  response: z.array(userView),
} as const;

export const followUser = defineEndpoint({
  ...action,
  id: 'user-follow',
  path: '/users/:id/follow',
  summary: 'Follow a user; 304 where the caller follows them already',
  otherStatuses: [304],
});

export const unfollowUser = defineEndpoint({
  ...action,
  id: 'user-unfollow',
  path: '/users/:id/unfollow',
  summary: 'Follow a user no more; 304 where the caller does not',
  otherStatuses: [304],
});

export const listFollowers = defineEndpoint({
  ...list,
  id: 'user-follower-list',
  path: '/users/:id/followers',
  summary: 'Who follows a user, the last ones first',
});

export const listFollowing = defineEndpoint({
  ...list,
  id: 'user-following-list',
  path: '/users/:id/following',
  summary: 'Whom a user follows, the last ones first',
});

export const followEndpoints = [followUser, unfollowUser, listFollowers, listFollowing];
