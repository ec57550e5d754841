import {
  createFreezePeriod,
  deleteFreezePeriod,
  getFreezePeriod,
  listFreezePeriods,
  updateFreezePeriod,
} from '@forgelog/contracts/ci/freeze-periods/freeze-period.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { asc, eq } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { listPage } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { freezePeriodDecider, freezePeriodStream } from './freeze-period.decider.ts';
import { freezePeriodJson } from './freeze-period.view.ts';
import { freezePeriods } from './freeze-periods.projection.ts';

export function freezePeriodRoutes(ports: ServicePorts): Implementation[] {
  const { commands, ids, readStore } = ports;
  const view = freezePeriodJson.renderer(ports);

  async function answerOf(id: number, projectId: number) {
    const row = await readStore.get(freezePeriods, id);
    if (row?.projectId !== projectId) throw new Rejection('record_not_found');
    return json(view.one(row));
  }

  return [
    implement(listFreezePeriods, async ({ project, page }) =>
      listPage(readStore, freezePeriods, {
        where: eq('projectId', project.project.id),
        sort: [asc('createdAt')],
        page,
        view,
      }),
    ),

    implement(getFreezePeriod, async ({ params, project }) =>
      answerOf(params.freeze_period_id, project.project.id),
    ),

    implement(createFreezePeriod, async ({ params, project, metadata }) => {
      const projectId = project.project.id;
      const commandFor = (freezePeriodId: number) => ({
        type: 'CreateFreezePeriod' as const,
        freezePeriodId,
        projectId,
        freezeStart: params.freeze_start,
        freezeEnd: params.freeze_end,
        cronTimezone: params.cron_timezone,
      });
      // Validate before reserving an id.
      freezePeriodDecider.decide(commandFor(0), freezePeriodDecider.initialState);
      const freezePeriodId = await ids.next('freezePeriod');
      await commands.handle(
        freezePeriodDecider,
        freezePeriodStream(freezePeriodId),
        commandFor(freezePeriodId),
        metadata,
        { mustBeNew: true },
      );
      return answerOf(freezePeriodId, projectId);
    }),

    implement(updateFreezePeriod, async ({ params, project, metadata }) => {
      const freezePeriodId = params.freeze_period_id;
      const projectId = project.project.id;
      const changes = {
        freezeStart: params.freeze_start,
        freezeEnd: params.freeze_end,
        cronTimezone: params.cron_timezone,
      };
      await commands.handle(
        freezePeriodDecider,
        freezePeriodStream(freezePeriodId),
        { type: 'UpdateFreezePeriod', freezePeriodId, projectId, changes },
        metadata,
      );
      return answerOf(freezePeriodId, projectId);
    }),

    implement(deleteFreezePeriod, async ({ params, project, metadata }) => {
      const freezePeriodId = params.freeze_period_id;
      await commands.handle(
        freezePeriodDecider,
        freezePeriodStream(freezePeriodId),
        { type: 'DeleteFreezePeriod', freezePeriodId, projectId: project.project.id },
        metadata,
      );
      return noContent();
    }),
  ];
}
