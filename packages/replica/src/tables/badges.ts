import { defineRecords, type Part, reference, text, whole } from '../table.ts';

export const badges: Part = {
  events: { BadgeCreated: 1, BadgeUpdated: 1, BadgeDeleted: 1 },
  records: [
    defineRecords({
      kind: 'Badge',
      name: 'badges',
      about: 'Images with a link that projects and groups show of themselves.',
      key: ['badge_id'],
      columns: {
        badge_id: whole('badgeId', 'Id of the badge.'),
        project_id: reference('projectId', 'Id of the project; null for badges of groups.'),
        group_id: reference('groupId', 'Id of the group; null for badges of projects.'),
        name: text('name', 'Name of the badge; null if it has none.'),
        link_url: text('linkUrl', 'Where it leads to, with its placeholders.'),
        image_url: text('imageUrl', 'Address of the image, with its placeholders.'),
      },
      compare: {
        select: 'SELECT * FROM badges WHERE ended_at IS NULL',
        key: ['badge_id'],
        async *served(api) {
          const columns = ({ id, name, link_url, image_url }: Record<string, unknown>) => ({
            ...{ badge_id: id, name, link_url, image_url },
          });
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const badge of api.list(`/projects/${project.id}/badges`))
              if (badge.kind === 'project')
                yield { project_id: project.id, group_id: null, ...columns(badge) };
          for await (const group of api.list('/groups?order_by=id'))
            for await (const badge of api.list(`/groups/${group.id}/badges`))
              yield { project_id: null, group_id: group.id, ...columns(badge) };
        },
      },
    }),
  ],
};
