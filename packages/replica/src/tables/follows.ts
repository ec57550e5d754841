import { defineRecords, type Part, reference, whole } from '../table.ts';

export const follows: Part = {
  events: { UserFollowed: 1, UserUnfollowed: 1 },
  records: [
    defineRecords({
      kind: 'Follow',
      name: 'follows',
      about: 'Which user follows which.',
      key: ['follower_id', 'user_id'],
      columns: {
        follower_id: whole('followerId', 'Id of the user who follows.'),
        user_id: reference('userId', 'Id of the user who is followed.'),
      },
    }),
  ],
};
