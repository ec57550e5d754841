import { type RunnerEvent, runnerEvents } from '@forgelog/contracts/ci/runners/runner.events.ts';
import { projectRunnerLifetime, runnerLifetime } from '@forgelog/contracts/ci/runners/runner.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection } from '@forgelog/eventing/read-store.ts';

/** One of a deleted group or of deleted projects stays until a policy has removed it. */
export const runners = defineCollection({
  name: 'runners',
  key: 'id',
  fields: {
    id: 'integer',
    runnerType: 'text',
    groupId: 'integer?',
    /** Those that it is enabled for. */
    projectIds: 'integer[]',
    tokenSha256: 'text',
    description: 'text',
    active: 'boolean',
    tags: 'text[]',
    runUntagged: 'boolean',
    locked: 'boolean',
    accessLevel: 'text',
    maximumTimeout: 'integer?',
  },
  indexes: [['tokenSha256'], ['runnerType'], ['groupId'], ['projectIds']],
  holds: { lifetime: runnerLifetime },
});

export type RunnerRow = DocumentOf<typeof runners>;

export const projectRunners = defineCollection({
  name: 'project_runners',
  key: 'key',
  fields: { key: 'text', runnerId: 'integer', projectId: 'integer' },
  indexes: [['projectId'], ['runnerId']],
  holds: { lifetime: projectRunnerLifetime },
});

export const runnersProjection = defineProjection<RunnerEvent>({
  name: 'runners',
  collections: [runners, projectRunners],
  handles: runnerEvents.map(({ type }) => type),
  async project({ type, data }, documents) {
    const id = data.runnerId;
    if (type === 'RunnerRegistered') {
      const { runnerId: _, projectId: __, ...fields } = data;
      return documents.put(runners, { id, ...fields, projectIds: [] });
    }
    const row = await documents.get(runners, id);
    if (!row) return;
    switch (type) {
      case 'RunnerUpdated':
        return documents.put(runners, { ...row, ...data.changes });
      case 'RunnerEnabledForProject': {
        const { projectId } = data;
        const others = row.projectIds.filter((one) => one !== projectId);
        documents.put(runners, { ...row, projectIds: [...others, projectId] });
        return documents.put(projectRunners, { key: `${id}-${projectId}`, runnerId: id, projectId });
      }
      case 'RunnerDisabledForProject': {
        const { projectId } = data;
        const projectIds = row.projectIds.filter((one) => one !== projectId);
        documents.put(runners, { ...row, projectIds });
        return documents.delete(projectRunners, `${id}-${projectId}`);
      }
      case 'RunnerRemoved':
        await documents.deleteAll(projectRunners, eq('runnerId', id));
        return documents.delete(runners, id);
      default:
        data satisfies never;
    }
  },
});
