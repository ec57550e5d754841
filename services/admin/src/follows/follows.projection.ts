import { type FollowEvent, followEvents } from '@forgelog/contracts/admin/follows/follow.events.ts';
import { followLifetime } from '@forgelog/contracts/admin/follows/follow.lifetime.ts';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq, or } from '@forgelog/eventing/query.ts';
import { defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const follows = defineCollection({
  name: 'follows',
  key: 'key',
  fields: {
    /** `<follower id>-<user id>`. */
    key: 'text',
    followerId: 'integer',
    userId: 'integer',
    since: 'text',
  },
  indexes: [
    ['userId', 'since'],
    ['followerId', 'since'],
  ],
  ownedBy: [endsWith(UserDeleted, ({ userId }) => or(eq('userId', userId), eq('followerId', userId)))],
  holds: { lifetime: followLifetime },
});

export const followsProjection = defineProjection<FollowEvent>({
  name: 'follows',
  collections: [follows],
  handles: followEvents.map(({ type }) => type),
  async project({ type, time: since, data: { followerId, userId } }, documents) {
    const key = `${followerId}-${userId}`;
    if (type === 'UserFollowed') documents.put(follows, { key, followerId, userId, since });
    else documents.delete(follows, key);
  },
});
