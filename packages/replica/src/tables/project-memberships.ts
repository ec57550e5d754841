import { defineRecords, type Part, reference, text, whole } from '../table.ts';

const ids = {
  project_id: whole('projectId', 'Id of the project.'),
  user_id: reference('userId', 'Id of the user.'),
};

export const projectMemberships: Part = {
  events: { ProjectMemberAdded: 1, ProjectMemberChanged: 2, ProjectMemberRemoved: 1 },
  records: [
    defineRecords({
      kind: 'ProjectMembership',
      name: 'project_memberships',
      about: 'Direct members of projects.',
      key: ['project_id', 'user_id'],
      columns: {
        ...ids,
        access_level: whole('accessLevel', '10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner.'),
        expires_at: text('expiresAt', 'First day without access, in UTC; null if it does not expire.'),
      },
      history: { name: 'project_membership_history', columns: ['access_level', 'expires_at'] },
      compare: {
        // The owner of a personal namespace is listed as a maintainer.
        select: `SELECT project_id, user_id, access_level, expires_at FROM project_memberships AS member
WHERE ended_at IS NULL AND NOT EXISTS (
  SELECT 1 FROM project_owners AS owner
  WHERE owner.project_id = member.project_id AND owner.user_id = member.user_id AND owner.ended_at IS NULL
)
UNION ALL SELECT project_id, user_id, 40, NULL FROM project_owners WHERE ended_at IS NULL`,
        key: ['project_id', 'user_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const member of api.list(`/projects/${project.id}/members`)) {
              const { id, access_level, expires_at } = member;
              yield { project_id: project.id, user_id: id, access_level, expires_at };
            }
        },
      },
    }),
    defineRecords({
      kind: 'ProjectOwnership',
      name: 'project_owners',
      about: 'Owners of personal namespaces, with the projects there: nobody can take these from them.',
      key: ['project_id', 'user_id'],
      columns: { ...ids, access_level: whole('accessLevel', 'Always 50, owner.') },
      history: { name: 'project_owner_history', columns: ['access_level'] },
    }),
  ],
};
