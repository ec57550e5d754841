import { defineRecords, type Part, reference, text, whole } from '../table.ts';

export const freezePeriods: Part = {
  events: { FreezePeriodCreated: 1, FreezePeriodUpdated: 2, FreezePeriodDeleted: 1 },
  records: [
    defineRecords({
      kind: 'FreezePeriod',
      name: 'freeze_periods',
      about: 'Times in which a project is not deployed.',
      key: ['freeze_period_id'],
      columns: {
        freeze_period_id: whole('freezePeriodId', 'Id of the freeze period.'),
        project_id: reference('projectId', 'Id of the project.'),
        freeze_start: text('freezeStart', 'When it begins, as a cron expression.'),
        freeze_end: text('freezeEnd', 'When it ends, as a cron expression.'),
        cron_timezone: text('cronTimezone', 'Time zone of both.'),
      },
      compare: {
        select:
          'SELECT *, began_at AS created_at, changed_at AS updated_at FROM freeze_periods WHERE ended_at IS NULL',
        key: ['freeze_period_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const period of api.list(`/projects/${project.id}/freeze_periods`)) {
              const { id, freeze_start, freeze_end, cron_timezone, created_at, updated_at } = period;
              yield {
                ...{ freeze_period_id: id, project_id: project.id, freeze_start, freeze_end, cron_timezone },
                ...{ created_at, updated_at },
              };
            }
        },
      },
    }),
  ],
};
