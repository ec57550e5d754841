import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { causedBy, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { and, asc, eq, range } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { environmentDecider, environmentsStream, REVIEW_FOLDER } from './environment.decider.ts';
import { type EnvironmentRow, environments } from './environments.projection.ts';

/** The first text that sorts after the folder's contents: `0` follows `/`. */
const AFTER_FOLDER = `${REVIEW_FOLDER.slice(0, -1)}0`;

/** Stopped, unscheduled review apps created before `before`, oldest first [L307]. */
export async function idleReviewApps(
  readStore: ReadStore,
  { projectId, before, limit }: { projectId: number; before: string; limit: number },
): Promise<EnvironmentRow[]> {
  return readStore.find(environments, {
    where: and(
      eq('projectId', projectId),
      eq('state', 'stopped'),
      range('createdAt', { lt: before }),
      range('name', { gte: REVIEW_FOLDER, lt: AFTER_FOLDER }),
      eq('deletionDueAt', null),
    ),
    sort: [asc('createdAt')],
    limit,
  });
}

type SweepPorts = Pick<ServicePorts, 'readStore' | 'commands' | 'clock'>;

const MOST_A_ROUND = 1000;

/** Deletes due environments [L159]. Safe to repeat, and to run in several processes. */
export async function deleteDueEnvironments({ readStore, commands, clock }: SweepPorts): Promise<void> {
  const now = clock().toISOString();
  const due = await readStore.find(environments, {
    where: range('deletionDueAt', { lte: now }),
    sort: [asc('deletionDueAt')],
    limit: MOST_A_ROUND,
    select: ['id', 'projectId', 'deletionScheduledBy'],
  });
  for (const { id: environmentId, projectId, deletionScheduledBy } of due) {
    const command = { type: 'DeleteDueEnvironment' as const, projectId, environmentId, now };
    const metadata = causedBy({ id: deletionScheduledBy, metadata: SYSTEM_METADATA });
    await commands.handle(environmentDecider, environmentsStream(projectId), command, metadata);
  }
}

const SWEEP_EVERY_MS = 60_000;

/** Runs the deletion periodically. */
export function reviewAppSweeper(ports: SweepPorts & Pick<ServicePorts, 'log'>): {
  start(): Promise<void>;
  stop(): Promise<void>;
} {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const sweep = () => {
    running = running
      .then(() => deleteDueEnvironments(ports))
      .catch((error: unknown) => ports.log.error({ err: error }, 'due environments not deleted'));
  };
  return {
    async start() {
      sweep();
      timer = setInterval(sweep, SWEEP_EVERY_MS).unref();
      await running;
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
