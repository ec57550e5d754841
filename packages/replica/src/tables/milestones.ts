import { defineRecords, type Part, reference, text, whole } from '../table.ts';

export const milestones: Part = {
  events: { MilestoneCreated: 1, MilestoneUpdated: 1, MilestoneDeleted: 2 },
  records: [
    defineRecords({
      kind: 'Milestone',
      name: 'milestones',
      about: 'What projects and groups want to reach, and until when.',
      key: ['milestone_id'],
      columns: {
        milestone_id: whole('milestoneId', 'Id of the milestone.'),
        iid: whole('iid', 'Its number in the project or group.'),
        project_id: reference('projectId', 'Id of the project; null for milestones of groups.'),
        group_id: reference('groupId', 'Id of the group; null for milestones of projects.'),
        title: text('title', 'The title.'),
        description: text('description', 'What is to be reached; null if not given.'),
        state: text('state', '`active` or `closed`.'),
        start_date: text('startDate', 'First day; null for none.'),
        due_date: text('dueDate', 'Last day; null for none.'),
      },
      compare: {
        select: 'SELECT * FROM milestones WHERE ended_at IS NULL',
        key: ['milestone_id'],
        async *served(api) {
          const columns = ({
            id,
            iid,
            title,
            description,
            state,
            start_date,
            due_date,
          }: Record<string, unknown>) => ({
            ...{ milestone_id: id, iid, title, description, state, start_date, due_date },
          });
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const one of api.list(`/projects/${project.id}/milestones`))
              yield { project_id: project.id, group_id: null, ...columns(one) };
          for await (const group of api.list('/groups?order_by=id'))
            for await (const one of api.list(`/groups/${group.id}/milestones`))
              yield { project_id: null, group_id: group.id, ...columns(one) };
        },
      },
    }),
  ],
};
