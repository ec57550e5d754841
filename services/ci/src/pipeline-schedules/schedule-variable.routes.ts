import {
  createPipelineScheduleVariable,
  deletePipelineScheduleVariable,
  updatePipelineScheduleVariable,
} from '@forgelog/contracts/ci/pipeline-schedules/pipeline-schedule.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { ExpectedRevision } from '@forgelog/eventing/event-store.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import {
  type PipelineScheduleCommand,
  pipelineScheduleDecider,
  pipelineScheduleStream,
} from './pipeline-schedule.decider.ts';
import { byCaller, named } from './pipeline-schedule.routes.ts';
import { scheduleVariableJson } from './pipeline-schedule.view.ts';
import { openScheduleVariables, scheduleSealer, scheduleVariablePlace } from './schedule-variables.ts';

export function scheduleVariableRoutes(ports: ServicePorts): Implementation[] {
  const { commands } = ports;
  const view = scheduleVariableJson.renderer(ports);
  const sealer = scheduleSealer(ports);

  const handle = (
    { metadata }: ApiRequest,
    command: PipelineScheduleCommand,
    options: { at?: ExpectedRevision } = {},
  ) =>
    commands.handle(
      pipelineScheduleDecider,
      pipelineScheduleStream(command.pipelineScheduleId),
      command,
      metadata,
      options,
    );

  const sealed = (scheduleId: number, key: string, value: string) =>
    sealer.seal(scheduleVariablePlace(scheduleId, key), value);

  return [
    implement(createPipelineScheduleVariable, async (request) => {
      const { pipeline_schedule_id: id, key, value, variable_type: variableType } = request.params;
      const variable = { key, variableType, value: sealed(id, key, value) };
      await handle(request, {
        type: 'AddScheduleVariable',
        ...named(request),
        by: byCaller(request),
        variable,
      });
      return json(view.one({ key, variableType, value }));
    }),

    implement(updatePipelineScheduleVariable, async (request) => {
      const { pipeline_schedule_id: id, key, value, variable_type } = request.params;
      const { state } = await handle(request, {
        type: 'ChangeScheduleVariable',
        ...named(request),
        by: byCaller(request),
        ...{ key, value: sealed(id, key, value), variableType: variable_type },
      });
      const { variableType } = variablesIn(state).find((variable) => variable.key === key)!;
      return json(view.one({ key, variableType, value }));
    }),

    implement(deletePipelineScheduleVariable, async (request) => {
      const { pipeline_schedule_id: id, key } = request.params;
      const by = byCaller(request);
      const before = await commands.load(pipelineScheduleDecider, pipelineScheduleStream(id));
      const at = before.revision ?? 'no-stream';
      await handle(request, { type: 'RemoveScheduleVariable', ...named(request), by, key }, { at });
      const removed = variablesIn(before.state).filter((variable) => variable.key === key);
      return json(view.one(openScheduleVariables({ id, sealedVariables: removed }, sealer)[0]!));
    }),
  ];
}

const variablesIn = (state: ReturnType<typeof pipelineScheduleDecider.evolve>) =>
  state.status === 'present' ? state.sealedVariables : [];
