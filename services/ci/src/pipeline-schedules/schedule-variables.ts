import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import { createSealer, type Sealer } from '@forgelog/service-kit/sealed.ts';
import { pipelineScheduleStream } from './pipeline-schedule.decider.ts';
import type { ScheduleVariable } from './pipeline-schedule.rules.ts';
import type { PipelineScheduleRow } from './pipeline-schedules.projection.ts';

export const scheduleSealer = ({ configuration }: Pick<ServicePorts, 'configuration'>): Sealer =>
  createSealer(lazyInstanceKey(configuration), 'variables of pipeline schedules');

export const scheduleVariablePlace = (pipelineScheduleId: number, key: string) =>
  `${pipelineScheduleStream(pipelineScheduleId)}/${key}`;

/** @throws SealedTextError */
export const openScheduleVariables = (
  { id, sealedVariables }: Pick<PipelineScheduleRow, 'id' | 'sealedVariables'>,
  sealer: Sealer,
): ScheduleVariable[] =>
  (sealedVariables as readonly ScheduleVariable[]).map((variable) => ({
    ...variable,
    value: sealer.open(scheduleVariablePlace(id, variable.key), variable.value),
  }));
