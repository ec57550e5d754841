import { defineRecords, type Part, reference, whole } from '../table.ts';

export const stars: Part = {
  events: { ProjectStarred: 1, ProjectUnstarred: 1 },
  records: [
    defineRecords({
      kind: 'ProjectStar',
      name: 'stars',
      about: 'Who starred which project. Their numbers are compared with those of `projects`.',
      key: ['project_id', 'user_id'],
      columns: {
        project_id: whole('projectId', 'Id of the project.'),
        user_id: reference('userId', 'Id of the user.'),
      },
    }),
  ],
};
