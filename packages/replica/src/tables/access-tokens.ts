import { defineRecords, flag, json, type Part, reference, text, whole } from '../table.ts';

export const accessTokens: Part = {
  events: {
    PersonalAccessTokenCreated: 2,
    PersonalAccessTokenRevoked: 1,
    PersonalAccessTokenEnded: 1,
    // One event tells the uses of many tokens: `events` has it, and no column.
    PersonalAccessTokensUsed: 1,
  },
  records: [
    defineRecords({
      kind: 'PersonalAccessToken',
      name: 'access_tokens',
      about: 'Personal access tokens, without anything that opens a door.',
      key: ['token_id'],
      columns: {
        token_id: whole('tokenId', 'Id of the token.'),
        user_id: reference('userId', 'Id of the user as whom it acts.'),
        name: text('name', 'Name that its maker gave it.'),
        scopes: json('scopes', 'What it may be used for'),
        expires_at: text(
          'expiresAt',
          'First day on which it is invalid, in UTC; null if it does not expire.',
        ),
        project_id: reference('projectId', 'Project of its bot; null for tokens of people.'),
        group_id: reference('groupId', 'Group of its bot; null for tokens of people.'),
        impersonation: flag('impersonation', 'Whether an administrator made it to act as the user'),
      },
      compare: {
        select: 'SELECT * FROM access_tokens WHERE ended_at IS NULL AND impersonation = 0',
        key: ['token_id'],
        async *served(api) {
          for await (const token of api.list('/personal_access_tokens')) {
            const { id, user_id, name, scopes, expires_at, active } = token;
            if (active) yield { token_id: id, user_id, name, scopes, expires_at };
          }
        },
      },
    }),
  ],
};
