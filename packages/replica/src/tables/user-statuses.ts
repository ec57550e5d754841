import { defineRecords, type Part, text, whole } from '../table.ts';

export const userStatuses: Part = {
  events: { UserStatusCreated: 1, UserStatusUpdated: 1 },
  records: [
    defineRecords({
      kind: 'UserStatus',
      name: 'user_statuses',
      about: 'What users say of what they do just now.',
      key: ['user_id'],
      columns: {
        user_id: whole('userId', 'Id of the user.'),
        emoji: text('emoji', 'Name of an emoji.'),
        message: text('message', 'What the user says.'),
        availability: text('availability', '`busy` or `not_set`.'),
        ends_at: text('endsAt', 'When it ends; null where it does not by itself.'),
      },
    }),
  ],
};
