import { defineRecords, flag, json, type Part, reference, text, whole } from '../table.ts';

export const integrations: Part = {
  events: {
    ...{ IntegrationCreated: 3, IntegrationUpdated: 3, IntegrationDeleted: 1 },
    ...{ IntegrationDisabled: 1, IntegrationEnabled: 1, IntegrationMessageHandled: 1 },
  },
  records: [
    defineRecords({
      kind: 'Integration',
      name: 'integrations',
      about: 'Other programs that projects work with.',
      key: ['integration_id'],
      columns: {
        integration_id: whole('integrationId', 'Id of the integration.'),
        project_id: reference('projectId', 'Id of the project.'),
        slug: text('slug', 'Which one it is.'),
        properties: json('properties', 'Names and values of its parameters'),
        flags_off: json('flagsOff', 'Events that it is not told of'),
        disabled: flag('disabled', 'Whether it was switched off because its receiver failed'),
      },
      compare: {
        select:
          'SELECT integration_id, project_id, slug FROM integrations WHERE ended_at IS NULL AND disabled = 0',
        key: ['integration_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const { id, slug } of api.list(`/projects/${project.id}/services`))
              yield { integration_id: id, project_id: project.id, slug };
        },
      },
    }),
  ],
};
