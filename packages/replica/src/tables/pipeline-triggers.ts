import { defineRecords, type Part, reference, text, whole } from '../table.ts';

export const pipelineTriggers: Part = {
  events: {
    PipelineTriggerCreated: 1,
    PipelineTriggerUpdated: 1,
    PipelineTriggerUsed: 1,
    PipelineTriggerDeleted: 1,
  },
  records: [
    defineRecords({
      kind: 'PipelineTrigger',
      name: 'pipeline_triggers',
      about: 'Tokens that start pipelines; the tokens themselves are never published.',
      key: ['pipeline_trigger_id'],
      columns: {
        pipeline_trigger_id: whole('pipelineTriggerId', 'Id of the trigger.'),
        project_id: reference('projectId', 'Id of the project.'),
        owner_id: reference('ownerId', 'Id of the user as whom its pipelines run.'),
        description: text('description', 'What it is for.'),
        last_used_at: text('lastUsedAt', 'When it was used last; null before.'),
      },
      compare: {
        select: 'SELECT * FROM pipeline_triggers WHERE ended_at IS NULL',
        key: ['pipeline_trigger_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const { id, description, owner } of api.list(`/projects/${project.id}/triggers`))
              yield { pipeline_trigger_id: id, project_id: project.id, owner_id: owner.id, description };
        },
      },
    }),
  ],
};
