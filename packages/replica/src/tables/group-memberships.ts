import { defineRecords, type Part, reference, text, whole } from '../table.ts';

export const groupMemberships: Part = {
  events: { GroupMemberAdded: 2, GroupMemberChanged: 2, GroupMemberRemoved: 1 },
  records: [
    defineRecords({
      kind: 'GroupMembership',
      name: 'group_memberships',
      about: 'Direct members of groups; they are members of all that is below, too.',
      key: ['group_id', 'user_id'],
      columns: {
        group_id: whole('groupId', 'Id of the group.'),
        user_id: reference('userId', 'Id of the user.'),
        access_level: whole('accessLevel', '10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner.'),
        expires_at: text('expiresAt', 'First day without access, in UTC; null if it does not expire.'),
      },
      history: { name: 'group_membership_history', columns: ['access_level', 'expires_at'] },
      compare: {
        select: 'SELECT * FROM group_memberships WHERE ended_at IS NULL',
        key: ['group_id', 'user_id'],
        async *served(api) {
          for await (const group of api.list('/groups?order_by=id'))
            for await (const member of api.list(`/groups/${group.id}/members`)) {
              const { id, access_level, expires_at } = member;
              yield { group_id: group.id, user_id: id, access_level, expires_at };
            }
        },
      },
    }),
  ],
};
