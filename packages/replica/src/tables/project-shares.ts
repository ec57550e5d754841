import { defineRecords, type Part, reference, text, whole } from '../table.ts';

export const projectShares: Part = {
  events: { ProjectGroupLinkCreated: 1, ProjectGroupLinkDeleted: 1 },
  records: [
    defineRecords({
      kind: 'ProjectGroupLink',
      name: 'project_group_links',
      about: 'Groups that projects are shared with.',
      key: ['project_id', 'group_id'],
      columns: {
        project_id: whole('projectId', 'Id of the project.'),
        group_id: reference('groupId', 'Id of the group whose members have access.'),
        access_level: whole('accessLevel', 'The most that its members are: 10 guest to 40 maintainer.'),
        expires_at: text('expiresAt', 'First day without access, in UTC; null if it does not expire.'),
      },
      history: { name: 'project_group_link_history', columns: ['access_level', 'expires_at'] },
      compare: {
        select:
          'SELECT project_id, group_id, access_level, expires_at FROM project_group_links WHERE ended_at IS NULL',
        key: ['project_id', 'group_id'],
        async *served(api) {
          for await (const { id: project_id, shared_with_groups } of api.list('/projects?order_by=id'))
            for (const share of shared_with_groups as Record<string, unknown>[]) {
              const { group_id, group_access_level: access_level, expires_at } = share;
              yield { project_id, group_id, access_level, expires_at };
            }
        },
      },
    }),
  ],
};
