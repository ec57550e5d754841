import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { and, asc, eq, range } from '@forgelog/eventing/query.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { createSweeper } from '@forgelog/service-kit/sweeper.ts';
import { environmentDecider, environmentsStream } from './environment.decider.ts';
import { environments } from './environments.projection.ts';

type Ports = Pick<ServicePorts, 'readStore' | 'commands' | 'clock'>;

const MOST_A_ROUND = 1000;

/** Stops environments whose time is over. Safe to repeat, and to run in several processes. */
export async function stopDueEnvironments({ readStore, commands, clock }: Ports): Promise<void> {
  const now = clock().toISOString();
  const due = await readStore.find(environments, {
    where: and(eq('state', 'available'), range('autoStopAt', { lte: now })),
    sort: [asc('autoStopAt')],
    limit: MOST_A_ROUND,
    select: ['id', 'projectId'],
  });
  for (const { id: environmentId, projectId } of due) {
    const command = { type: 'StopDueEnvironment', projectId, environmentId, now } as const;
    await commands.handle(environmentDecider, environmentsStream(projectId), command, SYSTEM_METADATA);
  }
}

export const autoStopSweeper = (ports: Ports & Pick<ServicePorts, 'log'>): Worker =>
  createSweeper(ports, 'environments', () => stopDueEnvironments(ports));
