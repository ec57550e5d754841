import {
  createPipelineSchedule,
  deletePipelineSchedule,
  getPipelineSchedule,
  listPipelineSchedules,
  playPipelineSchedule,
  takePipelineScheduleOwnership,
  updatePipelineSchedule,
} from '@forgelog/contracts/ci/pipeline-schedules/pipeline-schedule.api.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, desc, eq } from '@forgelog/eventing/query.ts';
import { json, noContent, value } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { listPage } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { pipelines } from '../pipelines/pipelines.projection.ts';
import {
  type PipelineScheduleCommand,
  pipelineScheduleDecider,
  pipelineScheduleStream,
} from './pipeline-schedule.decider.ts';
import { pipelineScheduleDetailJson, pipelineScheduleJson } from './pipeline-schedule.view.ts';
import { type PipelineScheduleRow, pipelineSchedules } from './pipeline-schedules.projection.ts';
import { openScheduleVariables, scheduleSealer } from './schedule-variables.ts';

const MOST_SCHEDULES = 100;

export function pipelineScheduleRoutes(ports: ServicePorts): Implementation[] {
  const { commands, ids, readStore, clock } = ports;
  const view = pipelineScheduleJson.renderer(ports);
  const detailView = pipelineScheduleDetailJson.renderer(ports);
  const sealer = scheduleSealer(ports);

  async function find(id: number, { project }: ApiRequest): Promise<PipelineScheduleRow> {
    const row = await readStore.get(pipelineSchedules, id);
    // The id in the path may belong to another project.
    if (row?.projectId !== project.project.id) throw new Rejection('record_not_found');
    return row;
  }

  const answerOf = async (id: number, request: ApiRequest) => json(view.one(await find(id, request)));

  const handle = ({ metadata }: ApiRequest, command: PipelineScheduleCommand) =>
    commands.handle(
      pipelineScheduleDecider,
      pipelineScheduleStream(command.pipelineScheduleId),
      command,
      metadata,
      { mustBeNew: command.type === 'CreatePipelineSchedule' },
    );

  return [
    implement(listPipelineSchedules, async ({ params, project, page }) =>
      listPage(readStore, pipelineSchedules, {
        where: and(
          eq('projectId', project.project.id),
          ...(params.scope === undefined ? [] : [eq('active', params.scope === 'active')]),
        ),
        sort: [desc('id')],
        page,
        view,
      }),
    ),

    implement(getPipelineSchedule, async (request) => {
      const row = await find(request.params.pipeline_schedule_id, request);
      const { isMaintainer, userId } = byCaller(request);
      const seesVariables = isMaintainer || userId === row.ownerId;
      const openVariables = seesVariables ? openScheduleVariables(row, sealer) : null;
      const lastPipeline =
        row.lastPipelineId === null ? undefined : await readStore.get(pipelines, row.lastPipelineId);
      return json(detailView.one({ ...row, openVariables, lastPipeline }, { seesVariables }));
    }),

    implement(createPipelineSchedule, async (request) => {
      const { params, project, caller } = request;
      const projectId = project.project.id;
      const commandFor = (pipelineScheduleId: number) => ({
        type: 'CreatePipelineSchedule' as const,
        pipelineScheduleId,
        projectId,
        ownerId: caller.userId,
        description: params.description,
        ref: params.ref,
        cron: params.cron,
        cronTimezone: params.cron_timezone,
        active: params.active,
        now: clock().toISOString(),
      });
      // Validate before reserving an id.
      pipelineScheduleDecider.decide(commandFor(0), pipelineScheduleDecider.initialState);
      const where = eq('projectId', projectId);
      const present = await readStore.count(pipelineSchedules, { where, atMost: MOST_SCHEDULES });
      if (present >= MOST_SCHEDULES)
        throw new Rejection('validation_failed', {
          fields: { base: [`Maximum number of pipeline schedules (${MOST_SCHEDULES}) exceeded`] },
        });
      const pipelineScheduleId = await ids.next('pipelineSchedule');
      await handle(request, commandFor(pipelineScheduleId));
      return answerOf(pipelineScheduleId, request);
    }),

    implement(updatePipelineSchedule, async (request) => {
      const { params } = request;
      const { description, ref, cron, cron_timezone: cronTimezone, active } = params;
      await handle(request, {
        type: 'UpdatePipelineSchedule',
        ...named(request),
        by: byCaller(request),
        changes: { description, ref, cron, cronTimezone, active },
        now: clock().toISOString(),
      });
      return answerOf(params.pipeline_schedule_id, request);
    }),

    implement(takePipelineScheduleOwnership, async (request) => {
      await handle(request, {
        type: 'UpdatePipelineSchedule',
        ...named(request),
        by: byCaller(request),
        changes: { ownerId: request.caller.userId },
        now: clock().toISOString(),
      });
      return answerOf(request.params.pipeline_schedule_id, request);
    }),

    implement(deletePipelineSchedule, async (request) => {
      await handle(request, { type: 'DeletePipelineSchedule', ...named(request), by: byCaller(request) });
      return noContent();
    }),

    implement(playPipelineSchedule, async (request) => {
      const { userId } = request.caller;
      await handle(request, { type: 'PlayPipelineSchedule', ...named(request), userId });
      return value({ message: '201 Created' });
    }),
  ];
}

export const named = ({ params, project }: ApiRequest<typeof getPipelineSchedule>) => ({
  pipelineScheduleId: params.pipeline_schedule_id,
  projectId: project.project.id,
});

export const byCaller = ({ caller, project }: ApiRequest) => ({
  userId: caller.userId,
  isMaintainer: project.level >= AccessLevel.maintainer,
});
