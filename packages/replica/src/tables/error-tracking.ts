import { defineRecords, flag, type Part, whole } from '../table.ts';

export const errorTracking: Part = {
  events: { ErrorTrackingCreated: 1, ErrorTrackingUpdated: 1 },
  records: [
    defineRecords({
      kind: 'ErrorTracking',
      name: 'error_tracking',
      about: 'Error-tracking settings of projects that ever set them.',
      key: ['project_id'],
      columns: {
        project_id: whole('projectId', 'Id of the project.'),
        active: flag('active', 'Whether errors are tracked'),
        integrated: flag('integrated', 'Whether this server takes the errors itself'),
      },
      compare: {
        select:
          'SELECT project_id, active, integrated FROM error_tracking WHERE ended_at IS NULL AND (active = 1 OR integrated = 1)',
        key: ['project_id'],
        async *served(api) {
          for await (const { id } of api.list('/projects?order_by=id&simple=true')) {
            const { active, integrated } = await api.get(`/projects/${id}/error_tracking/settings`);
            if (active || integrated)
              yield { project_id: id, active: Number(active), integrated: Number(integrated) };
          }
        },
      },
    }),
  ],
};
