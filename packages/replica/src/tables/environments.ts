import { defineRecords, type Part, reference, text, whole } from '../table.ts';

export const environments: Part = {
  events: {
    ...{ EnvironmentCreated: 1, EnvironmentUpdated: 2, EnvironmentStopped: 2, EnvironmentDeleted: 1 },
    ...{ EnvironmentDeletionScheduled: 2, EnvironmentDeployed: 1 },
  },
  records: [
    defineRecords({
      kind: 'Environment',
      name: 'environments',
      about: 'Where projects are deployed to.',
      key: ['environment_id'],
      columns: {
        environment_id: whole('environmentId', 'Id of the environment.'),
        project_id: reference('projectId', 'Id of the project.'),
        name: text('name', 'Name, unique in the project.'),
        slug: text('slug', 'Name for URLs and labels; a rename keeps it.'),
        external_url: text('externalUrl', 'Where people find what is deployed; null if not given.'),
        state: text('state', '`available` or `stopped`.'),
        auto_stop_at: text('autoStopAt', 'When it is stopped by itself; null for never.'),
        deletion_due_at: text('deletionDueAt', 'When it is due for deletion; null if it is not.'),
      },
      history: { name: 'environment_states', columns: ['state'] },
      compare: {
        select: 'SELECT * FROM environments WHERE ended_at IS NULL',
        key: ['environment_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const environment of api.list(`/projects/${project.id}/environments`)) {
              const { id, name, slug, external_url, state } = environment;
              yield { environment_id: id, project_id: project.id, name, slug, external_url, state };
            }
        },
      },
    }),
  ],
};
