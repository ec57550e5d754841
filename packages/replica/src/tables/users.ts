import { defineRecords, flag, json, type Part, reference, settings, text, whole } from '../table.ts';

export const users: Part = {
  events: {
    ...{ UserCreated: 1, UserUpdated: 2, UserBlocked: 2, UserUnblocked: 2, UserDeleted: 1 },
    ...{ UserDeactivated: 1, UserActivated: 1, UserBanned: 1, UserUnbanned: 1 },
  },
  records: [
    defineRecords({
      kind: 'User',
      name: 'users',
      about: 'Every user, programs among them.',
      key: ['user_id'],
      columns: {
        user_id: whole('userId', 'Id of the user.'),
        namespace_id: reference('namespaceId', 'Id of the personal namespace.'),
        username: text('username', 'Name of the account.'),
        name: text('name', 'Full name.'),
        email: text('email', 'E-mail address of the account.'),
        state: text(
          'state',
          '`active`, `blocked`, `deactivated` or `banned`: only an active user can do something.',
        ),
        admin: flag('admin', 'Whether the user is an administrator'),
        external: flag('external', 'Whether the user sees no internal projects'),
        bot: flag('bot', 'Whether the account is of a program'),
        confirmed: flag('confirmed', 'Whether the e-mail address is confirmed'),
        identities: json('identities', 'Accounts at identity providers'),
        profile: settings('profile', 'Fields of the profile, by their names in the API'),
      },
      history: { name: 'user_history', columns: ['state', 'admin', 'external'] },
      compare: {
        select: 'SELECT *, began_at AS created_at FROM users WHERE ended_at IS NULL',
        key: ['user_id'],
        async *served(api) {
          for await (const user of api.list('/users?order_by=id&pagination=keyset'))
            yield {
              ...{ user_id: user.id, username: user.username, name: user.name, email: user.email },
              ...{ state: user.state, admin: user.is_admin, external: user.external },
              ...{ confirmed: user.confirmed_at !== null, created_at: user.created_at, profile: user },
            };
        },
      },
    }),
  ],
};
