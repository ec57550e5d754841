import {
  GroupDeletionCancelled,
  GroupTransferred,
  GroupUpdated,
} from '@forgelog/contracts/admin/groups/group.events.ts';
import type { JobEvent } from '@forgelog/contracts/ci/jobs/job.events.ts';
import { PipelineDeleted } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import { ProjectDeleted, ProjectUpdated } from '@forgelog/contracts/repo/projects/project.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { and, type Condition, eq, oneOf } from '@forgelog/eventing/query.ts';
import { jobs } from '../jobs/jobs.collection.ts';
import { pipelines } from '../pipelines/pipelines.projection.ts';
import { groupsKeepSharedRunnersOut } from '../project-settings/groups-without-shared-runners.projection.ts';
import { projectCiSettings } from '../project-settings/project-settings.projection.ts';
import type { RunnerRow } from '../runners/runners.projection.ts';
import { fits, isServedBy, type RunnersOf } from './fitting.ts';
import type { QueuedJob } from './lane-line.ts';
import { Lanes } from './lanes.ts';
import { createWaitingRunners } from './waiting-runners.ts';

const BATCH = 1000;
/** Events of a group, which change what runners serve its projects. */
const CONCERN_ALL: readonly string[] = [
  GroupUpdated.type,
  GroupTransferred.type,
  GroupDeletionCancelled.type,
];

export interface JobQueue {
  /** Reads what is pending and running. */
  start(): Promise<void>;
  /** Follows events whose documents can be read. */
  applied(events: readonly RecordedEvent[]): void;
  /** Takes the next job for the runner out of the queue, if there is one among all that `applied` told of. */
  take(runner: RunnerRow): Promise<QueuedJob | undefined>;
  putBack(job: QueuedJob): void;
  /** Counts what may give a waiting runner a job. */
  readonly changes: number;
  /** Resolves with true when there may be a job: at once if something changed since `changes` was read. */
  wait(
    runner: RunnerRow,
    options: { since: number; milliseconds: number; signal: AbortSignal },
  ): Promise<boolean>;
  /** Lets all waiting runners go, and holds none from now on. */
  drain(): void;
}

/** The pending jobs of all projects, in memory: requests of idle runners read no store. */
export function createJobQueue({ readStore, directory, log }: ServicePorts): JobQueue {
  const lanes = new Lanes();
  const waiting = createWaitingRunners(() => performance.now());
  let changes = 0;
  let isFollowing = false;
  let loading = Promise.resolve();

  async function servedBy(projectId: number): Promise<readonly RunnersOf[]> {
    const project = await directory.project(projectId);
    if (!project || project.archived || (await directory.marked()).projects.has(projectId)) return [];
    if ((project.features as { builds?: string }).builds === 'disabled') return [];
    const above = project.ancestors ?? [];
    const groups = above.map((id) => `group ${id}` as const);
    const { sharedRunners } = await projectCiSettings(readStore, projectId);
    const isShared = sharedRunners && !(await groupsKeepSharedRunnersOut(readStore, above));
    return [`project ${projectId}`, ...groups, ...(isShared ? (['instance'] as const) : [])];
  }

  const mayServe = async (runner: RunnerRow, projectId: number): Promise<boolean> =>
    isServedBy(runner, await servedBy(projectId));

  async function load(where: Condition, onAdded: (job: QueuedJob) => Promise<void>): Promise<void> {
    for await (const rows of inBatches(readStore, jobs, { where, size: BATCH })) {
      const ids = [...new Set(rows.map(({ pipelineId }) => pipelineId))];
      const found = await readStore.find(pipelines, { where: oneOf('id', ids), limit: ids.length });
      const isProtected = new Map(found.map((pipeline) => [pipeline.id, pipeline.isProtected]));
      // A change meanwhile comes in its turn, after the batch.
      const served = new Map<number, readonly RunnersOf[]>();
      for (const { id, status, projectId, iid, pipelineId, tags } of rows) {
        if (status === 'running') lanes.began(id, projectId);
        if (status !== 'pending' || !isProtected.has(pipelineId)) continue;
        const job = { id, projectId, iid, pipelineId, tags, isProtected: isProtected.get(pipelineId)! };
        if (!served.has(projectId)) served.set(projectId, await servedBy(projectId));
        lanes.add(job, served.get(projectId)!);
        await onAdded(job);
      }
    }
  }

  function inTurn(work: () => Promise<void>): void {
    loading = loading
      .then(work)
      .catch((error: unknown) => log.error({ err: error }, 'pending jobs could not be read'));
  }

  async function reread(projectIds: readonly number[]): Promise<void> {
    for (const id of projectIds) lanes.serve(id, await servedBy(id));
    changes += 1;
    waiting.wakeAll();
  }

  async function offer(job: QueuedJob): Promise<void> {
    changes += 1;
    await waiting.wakeOne((runner) => fits(runner, job) && mayServe(runner, job.projectId));
  }

  function follow({ type, data }: JobEvent): boolean {
    const { jobId, projectId } = data;
    switch (type) {
      case 'JobCreated':
        return data.kind === 'build' && data.status === 'pending';
      case 'JobQueued':
        return true;
      case 'JobReturned':
        lanes.ended(jobId);
        return true;
      case 'JobStarted':
        lanes.began(jobId, projectId);
        lanes.remove(jobId);
        return false;
      case 'JobWaitsForResource':
        lanes.remove(jobId);
        return false;
      case 'JobSucceeded':
      case 'JobFailed':
      case 'JobCanceled':
        lanes.ended(jobId);
        lanes.remove(jobId);
        return false;
      default:
        return false;
    }
  }

  return {
    async start() {
      isFollowing = true;
      const open = and(eq('kind', 'build'), oneOf('status', ['pending', 'running']));
      const loaded = load(open, async () => {});
      loading = loaded.catch(() => {});
      await loaded;
    },

    applied(events) {
      if (!isFollowing) return;
      const pending: number[] = [];
      for (const event of events) {
        const data = event.data as { projectId?: number; pipelineId?: number; runnerId?: number };
        if (event.type === PipelineDeleted.type) lanes.removeAll(data.projectId!, data.pipelineId!);
        else if (event.type === ProjectDeleted.type) lanes.removeAll(data.projectId!);
        else if (!concernsRunners(event)) continue;
        else if (CONCERN_ALL.includes(event.type)) inTurn(() => reread(lanes.projectIds()));
        else if (event.type.startsWith('Job')) {
          const job = event as unknown as JobEvent;
          if (follow(job)) pending.push(job.data.jobId);
        } else if (event.type.startsWith('Project')) inTurn(() => reread([data.projectId!]));
        else {
          changes += 1;
          waiting.wakeAll(({ id }) => id === data.runnerId);
        }
      }
      if (pending.length === 0) return;
      const where = and(eq('kind', 'build'), oneOf('id', pending));
      inTurn(() => load(where, offer));
    },

    async take(runner) {
      // What is pending may have been told of, and not be read yet.
      await loading;
      for (;;) {
        const job = lanes.next(runner);
        if (!job) return undefined;
        const served = await servedBy(job.projectId);
        // A project that left a line is found no more.
        lanes.serve(job.projectId, served);
        if (isServedBy(runner, served) && lanes.take(job.id)) return job;
      }
    },
    putBack(job) {
      inTurn(async () => {
        lanes.add(job, await servedBy(job.projectId));
        await offer(job);
      });
    },
    get changes() {
      return changes;
    },
    wait: async (runner, { since, milliseconds, signal }) =>
      since !== changes || waiting.wait(runner, milliseconds, signal),
    drain: waiting.drain,
  };
}

function concernsRunners({ type, data }: RecordedEvent): boolean {
  if (type !== ProjectUpdated.type && type !== GroupUpdated.type) return true;
  const { settings = {} } = (data as { changes?: { settings?: object } }).changes ?? {};
  return ['shared_runners_enabled', 'builds_access_level', 'shared_runners_setting'].some(
    (name) => name in settings,
  );
}
