import { defineRecords, flag, type Part, reference, text, whole } from '../table.ts';

export const pipelineSchedules: Part = {
  events: {
    ...{ PipelineScheduleCreated: 1, PipelineScheduleUpdated: 1, PipelineScheduleRan: 1 },
    PipelineScheduleDeleted: 1,
  },
  records: [
    defineRecords({
      kind: 'PipelineSchedule',
      name: 'pipeline_schedules',
      about: 'By which pipelines run.',
      key: ['pipeline_schedule_id'],
      columns: {
        pipeline_schedule_id: whole('pipelineScheduleId', 'Id of the schedule.'),
        project_id: reference('projectId', 'Id of the project.'),
        owner_id: reference('ownerId', 'Id of the user as whom its pipelines run.'),
        description: text('description', 'What its pipelines are for.'),
        ref: text('ref', 'Branch or tag for which they run.'),
        cron: text('cron', 'When they run, as a cron expression.'),
        cron_timezone: text('cronTimezone', 'Time zone of the expression.'),
        active: flag('active', 'Whether it runs'),
        next_run_at: text('nextRunAt', 'When it is due next; null if its expression means no time.'),
      },
      compare: {
        select: 'SELECT * FROM pipeline_schedules WHERE ended_at IS NULL',
        key: ['pipeline_schedule_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const schedule of api.list(`/projects/${project.id}/pipeline_schedules`)) {
              const { id, owner, description, ref, cron, cron_timezone, active, next_run_at } = schedule;
              yield {
                ...{ pipeline_schedule_id: id, project_id: project.id, owner_id: owner.id, description },
                ...{ ref, cron, cron_timezone, active, next_run_at },
              };
            }
        },
      },
    }),
  ],
};
