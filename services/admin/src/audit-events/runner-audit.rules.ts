import {
  RunnerDisabledForProject,
  RunnerEnabledForProject,
  RunnerRegistered,
  RunnerRemoved,
  RunnerUpdated,
} from '@forgelog/contracts/ci/runners/runner.events.ts';
import { RunnersTokenReset } from '@forgelog/contracts/ci/runners/runners-token.events.ts';
import { initiatorOf, type RecordedEvent } from '@forgelog/eventing/event.ts';
import { type AuditEntry, type AuditRule, audited, changeOf, flatChanges } from './audit-rule.ts';

interface Place {
  projectId: number | null;
  groupId: number | null;
}

/** What concerns the whole instance is told of the administrator who did it. */
function entityOf({ projectId, groupId }: Place, { metadata }: Pick<RecordedEvent, 'metadata'>) {
  if (projectId !== null) return { type: 'Project', id: projectId } as const;
  if (groupId !== null) return { type: 'Group', id: groupId } as const;
  const { actorId } = initiatorOf(metadata);
  return actorId === null ? undefined : ({ type: 'User', id: actorId } as const);
}

const runner = (id: number): AuditEntry['target'] => ({ type: 'Runner', id, details: `Runner ${id}` });

async function ofRunner(
  event: Pick<RecordedEvent, 'metadata'> & { data: Place & { runnerId: number } },
  rest: Omit<AuditEntry, 'entity' | 'target'>,
): Promise<AuditEntry | undefined> {
  const entity = entityOf(event.data, event);
  return entity && { entity, target: runner(event.data.runnerId), ...rest };
}

const inProject = async (
  { projectId, runnerId }: { projectId: number; runnerId: number },
  message: string,
): Promise<AuditEntry> => ({
  entity: { type: 'Project', id: projectId },
  target: runner(runnerId),
  message,
});

export const runnerAuditRules: readonly AuditRule[] = [
  audited(RunnerRegistered, (event) =>
    ofRunner(event, { message: `Registered runner ${event.data.runnerId}`, add: 'runner' }),
  ),
  audited(RunnerUpdated, (event) => {
    const changes = flatChanges(event.data.changes);
    const message = `Changed runner ${event.data.runnerId}: ${Object.keys(changes).join(', ')}`;
    return ofRunner(event, { message, ...changeOf(changes) });
  }),
  audited(RunnerRemoved, (event) => ofRunner(event, { message: `Removed runner ${event.data.runnerId}` })),
  // With its registration or its end, and with the deletion of the project, it is a part of that change.
  audited(RunnerEnabledForProject, async ({ data }) =>
    data.reason === 'enabled' ? inProject(data, `Enabled runner ${data.runnerId}`) : undefined,
  ),
  audited(RunnerDisabledForProject, async ({ data }) =>
    data.reason === 'disabled' ? inProject(data, `Disabled runner ${data.runnerId}`) : undefined,
  ),
  audited(RunnersTokenReset, async (event) => {
    const entity = entityOf(event.data, event);
    const details = 'Registration token of runners';
    return (
      entity && {
        entity,
        target: { type: 'RunnersToken', id: entity.id, details },
        message: 'Reset the registration token of runners',
      }
    );
  }),
];
