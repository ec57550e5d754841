import { defineRecords, flag, type Part, reference, text, whole } from '../table.ts';

export const userEmails: Part = {
  events: { UserEmailCreated: 1, UserEmailConfirmed: 1, UserEmailDeleted: 1 },
  records: [
    defineRecords({
      kind: 'UserEmail',
      name: 'user_emails',
      about: 'E-mail addresses of users beside those of their accounts.',
      key: ['user_email_id'],
      columns: {
        user_email_id: whole('userEmailId', 'Id of the address.'),
        user_id: reference('userId', 'Id of the user.'),
        email: text('email', 'The address.'),
        confirmed: flag('confirmed', 'Whether it is known to be theirs'),
      },
      compare: {
        select: 'SELECT * FROM user_emails WHERE ended_at IS NULL',
        key: ['user_email_id'],
        async *served(api) {
          for await (const { id: user_id } of api.list('/users'))
            for await (const { id, email, confirmed_at } of api.list(`/users/${user_id}/emails`))
              yield { user_email_id: id, user_id, email, confirmed: Number(confirmed_at !== null) };
        },
      },
    }),
  ],
};
