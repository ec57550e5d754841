import { defineRecords, type Part, reference, text, whole } from '../table.ts';

export const groupShares: Part = {
  events: { GroupGroupLinkCreated: 1, GroupGroupLinkDeleted: 1 },
  records: [
    defineRecords({
      kind: 'GroupGroupLink',
      name: 'group_group_links',
      about: 'Groups that groups are shared with.',
      key: ['group_id', 'shared_with_group_id'],
      columns: {
        group_id: whole('groupId', 'Id of the shared group.'),
        shared_with_group_id: reference('sharedWithGroupId', 'Id of the group whose members have access.'),
        access_level: whole('accessLevel', 'The most that its members are: 10 guest to 50 owner.'),
        expires_at: text('expiresAt', 'First day without access, in UTC; null if it does not expire.'),
      },
      history: { name: 'group_group_link_history', columns: ['access_level', 'expires_at'] },
      compare: {
        select:
          'SELECT group_id, shared_with_group_id, access_level, expires_at FROM group_group_links WHERE ended_at IS NULL',
        key: ['group_id', 'shared_with_group_id'],
        async *served(api) {
          for await (const { id: group_id } of api.list('/groups?order_by=id')) {
            const group = await api.get(`/groups/${group_id}?with_projects=false`);
            for (const share of group.shared_with_groups as Record<string, unknown>[]) {
              const { group_id: shared_with_group_id, group_access_level: access_level, expires_at } = share;
              yield { group_id, shared_with_group_id, access_level, expires_at };
            }
          }
        },
      },
    }),
  ],
};
