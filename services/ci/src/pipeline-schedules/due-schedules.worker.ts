import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { and, asc, eq, range } from '@forgelog/eventing/query.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { createSweeper } from '@forgelog/service-kit/sweeper.ts';
import { pipelineScheduleDecider, pipelineScheduleStream } from './pipeline-schedule.decider.ts';
import { pipelineSchedules } from './pipeline-schedules.projection.ts';

type Ports = Pick<ServicePorts, 'readStore' | 'commands' | 'clock'>;

const AT_ONCE = 100;

/**
 * Runs each due schedule once, however many times were missed. The decider moves the next time on in the same append, so a
 * second process, or a repeat, finds nothing due.
 */
export async function runDueSchedules(
  { readStore, commands, clock }: Ports,
  signal: AbortSignal,
): Promise<void> {
  const now = clock().toISOString();
  for (;;) {
    const due = await readStore.find(pipelineSchedules, {
      where: and(eq('active', true), range('nextRunAt', { lte: now })),
      sort: [asc('nextRunAt')],
      limit: AT_ONCE,
      select: ['id', 'projectId'],
    });
    for (const { id: pipelineScheduleId, projectId } of due) {
      if (signal.aborted) return;
      await commands.handle(
        pipelineScheduleDecider,
        pipelineScheduleStream(pipelineScheduleId),
        { type: 'RunDuePipelineSchedule', pipelineScheduleId, projectId, now },
        SYSTEM_METADATA,
      );
    }
    if (due.length < AT_ONCE) return;
  }
}

export const dueScheduleSweeper = (ports: Ports & Pick<ServicePorts, 'log'>): Worker =>
  createSweeper(ports, 'pipeline schedules', (signal) => runDueSchedules(ports, signal));
