import { defineView, type Part } from '../table.ts';

/** A right with a last day ends as that day begins, also before its event comes. */
const until = (expiresAt: string) => `CASE
    WHEN ${expiresAt} IS NULL THEN valid_until
    WHEN valid_until IS NULL OR valid_until > ${expiresAt} THEN ${expiresAt} || 'T00:00:00.000Z'
    ELSE valid_until
  END`;

/** What a member of another group has by a share, and when: both must last. */
const SHARED = `
  CASE WHEN member.access_level < link.access_level THEN member.access_level ELSE link.access_level END,
  CASE WHEN member.valid_from > link.valid_from THEN member.valid_from ELSE link.valid_from END,
  CASE WHEN member.valid_until IS NULL OR link.valid_until < member.valid_until
    THEN link.valid_until ELSE member.valid_until END`;
const WHILE_BOTH_LAST = `member.access_level >= 10
  AND (member.valid_until IS NULL OR member.valid_until > link.valid_from)
  AND (link.valid_until IS NULL OR link.valid_until > member.valid_from)`;

const RIGHTS_COLUMNS = '`user_id`, `access_level`, `valid_from`, `valid_until` (null: until now)';

export const rights: Part = {
  events: {},
  views: [
    defineView({
      name: 'group_rights',
      about: `Who had which level in a group from when to when, own, from a group above or by a share with a group: \`group_id\`, ${RIGHTS_COLUMNS}. Levels can overlap: the highest counts.`,
      sql: `WITH RECURSIVE above(group_id, source_id) AS (
  SELECT group_id, group_id FROM groups
  UNION ALL
  SELECT above.group_id, groups.parent_id
  FROM above JOIN groups ON groups.group_id = above.source_id WHERE groups.parent_id IS NOT NULL
), own AS (
  SELECT above.group_id, user_id, access_level, valid_from, ${until('expires_at')} AS valid_until
  FROM above JOIN group_membership_history AS membership ON membership.group_id = above.source_id
  WHERE expires_at IS NULL OR valid_from < expires_at
), link AS (
  SELECT group_id, shared_with_group_id, access_level, valid_from, ${until('expires_at')} AS valid_until
  FROM group_group_link_history WHERE expires_at IS NULL OR valid_from < expires_at
)
SELECT group_id, user_id, access_level, valid_from, valid_until FROM own
UNION ALL
SELECT above.group_id, member.user_id, ${SHARED}
FROM above JOIN link ON link.group_id = above.source_id
JOIN own AS member ON member.group_id = link.shared_with_group_id
WHERE ${WHILE_BOTH_LAST}`,
    }),
    defineView({
      name: 'project_rights',
      about: `The same of projects: \`project_id\`, ${RIGHTS_COLUMNS}. Owners of personal namespaces have 50. Members of groups that it is shared with are among them. Administrators, who may do everything, are in \`user_history\`, with the times in which users were blocked.`,
      sql: `SELECT project_id, user_id, access_level, valid_from, ${until('expires_at')} AS valid_until
FROM project_membership_history WHERE expires_at IS NULL OR valid_from < expires_at
UNION ALL
SELECT project_id, user_id, access_level, valid_from, valid_until FROM project_owner_history
UNION ALL
SELECT project_id, user_id, access_level, valid_from, valid_until
FROM group_rights JOIN projects ON projects.namespace_id = group_rights.group_id
UNION ALL
SELECT link.project_id, member.user_id, ${SHARED}
FROM (
  SELECT project_id, group_id, access_level, valid_from, ${until('expires_at')} AS valid_until
  FROM project_group_link_history WHERE expires_at IS NULL OR valid_from < expires_at
) AS link
JOIN group_rights AS member ON member.group_id = link.group_id
WHERE ${WHILE_BOTH_LAST}`,
      compare: {
        // The list shows the owner of a personal namespace as a maintainer.
        select: `SELECT project_rights.project_id, project_rights.user_id,
  CASE WHEN MAX(projects.owner_id) = project_rights.user_id THEN 40 ELSE MAX(access_level) END AS access_level
FROM project_rights JOIN projects ON projects.project_id = project_rights.project_id
WHERE (valid_until IS NULL OR valid_until > (SELECT event_time FROM replica_position)) AND projects.ended_at IS NULL
GROUP BY project_rights.project_id, project_rights.user_id`,
        key: ['project_id', 'user_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const { id, access_level } of api.list(`/projects/${project.id}/members/all`))
              yield { project_id: project.id, user_id: id, access_level };
        },
      },
    }),
  ],
};
