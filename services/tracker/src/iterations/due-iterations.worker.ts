import { Rejection } from '@forgelog/contracts/errors.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { and, asc, eq, range } from '@forgelog/eventing/query.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { createSweeper } from '@forgelog/service-kit/sweeper.ts';
import { issueDecider, issueStream } from '../issues/issue.decider.ts';
import { issues } from '../issues/issues.collection.ts';
import { handleScheduling } from './iteration.commands.ts';
import { iterationDecider, iterationsStream } from './iteration.decider.ts';
import { type IterationRow, iterationCadences, iterations } from './iterations.projection.ts';

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

/** The one that open issues of an iteration go on in; undefined where they stay. */
async function nextOf(ports: Ports, { cadenceId, dueDate }: IterationRow): Promise<number | undefined> {
  const { readStore } = ports;
  const cadence = await readStore.get(iterationCadences, cadenceId);
  if (!cadence?.active || !cadence.rollOver) return undefined;
  const [next] = await readStore.find(iterations, {
    where: and(
      ...[eq('cadenceId', cadenceId), range('startDate', { gt: dueDate })],
      range('dueDate', { gte: today(ports) }),
    ),
    ...{ sort: [asc('startDate')], limit: 1, select: ['id'] },
  });
  return next?.id;
}

/** Each issue by itself: what was interrupted goes on with those that are left. */
async function rollOver(
  { readStore, commands }: Ports,
  { from, iterationId }: { from: number; iterationId: number },
  signal: AbortSignal,
): Promise<void> {
  for (let last = -1; ; ) {
    const found = await readStore.find(issues, {
      where: and(eq('iterationId', from), eq('state', 'opened'), range('place', { gt: last })),
      ...{ sort: [asc('place')], limit: AT_ONCE, select: ['place', 'projectId', 'iid'] },
    });
    for (const { projectId, iid } of found) {
      if (signal.aborted) return;
      const stream = issueStream(projectId!, iid!);
      const command = { type: 'RollOverIssue', projectId: projectId!, iid: iid!, iterationId, from } as const;
      await commands.handle(issueDecider, stream, command, SYSTEM_METADATA).catch((error: unknown) => {
        // Somebody deleted it meanwhile.
        if (!(error instanceof Rejection)) throw error;
      });
    }
    if (found.length < AT_ONCE) return;
    last = found.at(-1)!.place;
  }
}

/** Ends the iterations that are over, after their open issues went on where the cadence says so. */
async function endIterations(ports: Ports, signal: AbortSignal): Promise<void> {
  const { readStore, commands } = ports;
  const day = today(ports);
  for (let last = 0; ; ) {
    const found = await readStore.find(iterations, {
      where: and(eq('hasEnded', false), range('dueDate', { lt: day }), range('id', { gt: last })),
      ...{ sort: [asc('id')], limit: AT_ONCE },
    });
    for (const row of found) {
      const { id: iterationId, groupId, cadenceId } = row;
      const next = await nextOf(ports, row);
      if (next !== undefined) await rollOver(ports, { from: iterationId, iterationId: next }, signal);
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
