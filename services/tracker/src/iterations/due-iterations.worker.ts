import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { and, asc, eq, range } from '@forgelog/eventing/query.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { createSweeper } from '@forgelog/service-kit/sweeper.ts';
import { handleScheduling } from './iteration.commands.ts';
import { iterationDecider, iterationsStream } from './iteration.decider.ts';
import { iterationCadences, iterations } from './iterations.projection.ts';

type Ports = Pick<ServicePorts, 'readStore' | 'commands' | 'clock' | 'ids' | 'configuration'>;

const AT_ONCE = 100;

/** Makes the iterations that automatic cadences lack by now. The decider makes none twice. */
async function makeIterations(ports: Ports, signal: AbortSignal): Promise<void> {
  const { readStore } = ports;
  const day = today(ports);
  for (let last = 0; ; ) {
    const found = await readStore.find(iterationCadences, {
      where: and(eq('active', true), eq('automatic', true), range('id', { gt: last })),
      ...{ sort: [asc('id')], limit: AT_ONCE, select: ['id', 'groupId'] },
    });
    for (const { id: cadenceId, groupId } of found) {
      if (signal.aborted) return;
      const command = { type: 'ScheduleIterations', groupId, cadenceId, today: day } as const;
      await handleScheduling(ports, command, SYSTEM_METADATA);
    }
    if (found.length < AT_ONCE) return;
    last = found.at(-1)!.id;
  }
}

/** Ends the iterations that are over. */
async function endIterations(ports: Ports, signal: AbortSignal): Promise<void> {
  const { readStore, commands } = ports;
  const day = today(ports);
  for (let last = 0; ; ) {
    const found = await readStore.find(iterations, {
      where: and(eq('hasEnded', false), range('dueDate', { lt: day }), range('id', { gt: last })),
      ...{ sort: [asc('id')], limit: AT_ONCE, select: ['id', 'groupId', 'cadenceId'] },
    });
    for (const { id: iterationId, groupId, cadenceId } of found) {
      if (signal.aborted) return;
      const command = { type: 'EndIteration', groupId, cadenceId, iterationId, today: day } as const;
      await commands.handle(iterationDecider, iterationsStream(groupId), command, SYSTEM_METADATA);
    }
    if (found.length < AT_ONCE) return;
    last = found.at(-1)!.id;
  }
}

/** What comes of cadences by itself, as the days come. */
export async function sweepIterations(ports: Ports, signal: AbortSignal): Promise<void> {
  if (ports.configuration.EDITION === 'free') return;
  await makeIterations(ports, signal);
  await endIterations(ports, signal);
}

export const dueIterationSweeper = (ports: Ports & Pick<ServicePorts, 'log'>): Worker =>
  createSweeper(ports, 'iterations', (signal) => sweepIterations(ports, signal));
