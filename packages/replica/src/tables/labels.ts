import { defineRecords, flag, type Part, reference, text, whole } from '../table.ts';

export const labels: Part = {
  events: { LabelCreated: 1, LabelUpdated: 1, LabelDeleted: 1, LabelSubscribed: 1, LabelUnsubscribed: 1 },
  records: [
    defineRecords({
      kind: 'Label',
      name: 'labels',
      about: 'What projects and groups mark their issues and merge requests with.',
      key: ['label_id'],
      columns: {
        label_id: whole('labelId', 'Id of the label.'),
        project_id: reference('projectId', 'Id of the project; null for labels of groups.'),
        group_id: reference('groupId', 'Id of the group; null for labels of projects.'),
        title: text('title', 'The title.'),
        color: text('color', 'The colour, as `#` and six hexadecimal digits.'),
        description: text('description', 'What it is for; null if not given.'),
        confidential: flag('confidential', 'Whether nothing but confidential issues had it'),
        priority: whole('priority', 'Place among the labels of the project that have one; null for none.'),
      },
      compare: {
        select: 'SELECT * FROM labels WHERE ended_at IS NULL',
        key: ['label_id'],
        async *served(api) {
          const columns = ({ id, name, color, description, priority = null }: Record<string, unknown>) => ({
            ...{ label_id: id, title: name, color, description, priority },
          });
          const own = 'include_ancestor_groups=false';
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const label of api.list(`/projects/${project.id}/labels?${own}`))
              yield { project_id: project.id, group_id: null, ...columns(label) };
          for await (const group of api.list('/groups?order_by=id'))
            for await (const label of api.list(`/groups/${group.id}/labels?${own}`))
              yield { project_id: null, group_id: group.id, ...columns(label) };
        },
      },
    }),
  ],
};
