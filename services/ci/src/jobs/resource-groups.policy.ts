import {
  JobCanceled,
  JobCreated,
  JobFailed,
  JobSucceeded,
  JobWaitsForResource,
} from '@forgelog/contracts/ci/jobs/job.events.ts';
import { PipelineDeleted } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { and, asc, eq, not } from '@forgelog/eventing/query.ts';
import { actOn } from '../pipelines/pipeline-acts.ts';
import type { CiPorts } from '../ports.ts';
import { jobs } from './jobs.collection.ts';
import { resourceHolder } from './resource-holder.query.ts';

const WAITS = 'waiting_for_resource';
const MOST_GROUPS = 1000;

/**
 * Lets one job of each resource group run at a time, the oldest first, over all pipelines of a project. One process runs
 * a policy, and each grant is projected before the next decision. What it grants after it has lost its lease without
 * knowing, `holdsItsResource` keeps from starting (ADR 104).
 */
export function resourceGroupPolicies(ports: Pick<CiPorts, 'readStore' | 'commands' | 'clock'>): Policy[] {
  const { readStore } = ports;

  async function grantNext(projectId: number, group: string, metadata: EventMetadata): Promise<void> {
    const inGroup = and(eq('projectId', projectId), eq('resourceGroup', group));
    if (await resourceHolder(readStore, projectId, group)) return;
    const where = and(inGroup, eq('status', WAITS));
    const [next] = await readStore.find(jobs, { where, sort: [asc('id')], limit: 1 });
    if (!next) return;
    await actOn(ports, next, { type: 'GrantResource', jobId: next.id }, metadata).catch((error: unknown) => {
      // Its pipeline is gone, whose deletion comes to this policy too.
      if (!(error instanceof Rejection && error.code === 'record_not_found')) throw error;
    });
  }

  /** After a deletion nobody knows which groups its jobs held. */
  async function grantAll(projectId: number, metadata: EventMetadata): Promise<void> {
    const where = and(eq('projectId', projectId), eq('status', WAITS), not(eq('resourceGroup', null)));
    const waiting = await readStore.find(jobs, { where, limit: MOST_GROUPS, select: ['resourceGroup'] });
    for (const group of new Set(waiting.map(({ resourceGroup }) => resourceGroup)))
      await grantNext(projectId, group!, metadata);
  }

  return [
    definePolicy({
      name: 'resource-groups',
      handles: [JobCreated, JobWaitsForResource, JobSucceeded, JobFailed, JobCanceled, PipelineDeleted],
      actsAs: 'system',
      async react({ type, data }, { metadata }) {
        if (type === 'PipelineDeleted') return grantAll(data.projectId, metadata);
        if (type === 'JobCreated' && data.status !== WAITS) return;
        const job = await readStore.get(jobs, data.jobId);
        if (job?.resourceGroup) await grantNext(job.projectId, job.resourceGroup, metadata);
      },
    }),
  ];
}
