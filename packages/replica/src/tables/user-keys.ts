import { defineRecords, type Part, reference, text, whole } from '../table.ts';

export const userKeys: Part = {
  events: { UserKeyCreated: 1, UserKeyDeleted: 1 },
  records: [
    defineRecords({
      kind: 'UserKey',
      name: 'user_keys',
      about: 'Public keys of users, by which signatures of commits and tags are known.',
      key: ['user_key_id'],
      columns: {
        user_key_id: whole('userKeyId', 'Id of the key.'),
        user_id: reference('userId', 'Id of the user.'),
        kind: text('kind', '`ssh` or `gpg`'),
        fingerprint: text('fingerprint', 'Fingerprint in hexadecimal'),
        title: text('title', 'What its owner calls it; null for keys of OpenPGP.'),
        expires_at: text('expiresAt', 'When its owner wants it to end, in UTC; null for never.'),
      },
      compare: {
        select: "SELECT * FROM user_keys WHERE ended_at IS NULL AND kind = 'ssh'",
        key: ['user_key_id'],
        async *served(api) {
          for await (const { id: user_id } of api.list('/users'))
            for await (const { id, title, expires_at } of api.list(`/users/${user_id}/keys`))
              yield { user_key_id: id, user_id, kind: 'ssh', title, expires_at };
        },
      },
    }),
  ],
};
