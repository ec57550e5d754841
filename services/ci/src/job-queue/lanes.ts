import type { RunnerRow } from '../runners/runners.projection.ts';
import { fits, type LaneFacts } from './fitting.ts';

export interface QueuedJob extends LaneFacts {
  id: number;
  iid: number;
  pipelineId: number;
}

interface Lane extends LaneFacts {
  /** The oldest first. */
  jobs: Map<number, QueuedJob>;
  /** Counts jobs that were taken; from other lanes, when this one was served last. */
  servedAt: number;
}

/**
 * Pending jobs in lanes: those of one project that the same runners may get. A choice looks at lanes and not at jobs, so
 * a thousand pending jobs cost what one costs.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #laneOf = new Map<number, Lane>();
  readonly #running = new Map<number, number>();
  readonly #runs = new Map<number, number>();
  #served = 0;

  get size(): number {
    return this.#laneOf.size;
  }

  add(job: QueuedJob): void {
    if (this.#laneOf.has(job.id)) return;
    const { projectId, isProtected } = job;
    const tags = job.tags.toSorted();
    const key = JSON.stringify([projectId, isProtected, tags]);
    let lane = this.#lanes.get(key);
    if (!lane) {
      lane = { projectId, isProtected, tags, jobs: new Map(), servedAt: 0 };
      this.#lanes.set(key, lane);
    }
    lane.jobs.set(job.id, job);
    this.#laneOf.set(job.id, lane);
  }

  remove(jobId: number): void {
    const lane = this.#laneOf.get(jobId);
    if (!lane) return;
    this.#laneOf.delete(jobId);
    lane.jobs.delete(jobId);
    if (lane.jobs.size > 0) return;
    const { projectId, isProtected, tags } = lane;
    this.#lanes.delete(JSON.stringify([projectId, isProtected, tags]));
  }

  removeWhere(holds: (job: QueuedJob) => boolean): void {
    for (const lane of [...this.#lanes.values()])
      for (const job of [...lane.jobs.values()]) if (holds(job)) this.remove(job.id);
  }

  began(jobId: number, projectId: number): void {
    if (this.#runs.has(jobId)) return;
    this.#runs.set(jobId, projectId);
    this.#running.set(projectId, (this.#running.get(projectId) ?? 0) + 1);
  }

  ended(jobId: number): void {
    const projectId = this.#runs.get(jobId);
    if (projectId === undefined) return;
    this.#runs.delete(jobId);
    const left = this.#running.get(projectId)! - 1;
    if (left > 0) this.#running.set(projectId, left);
    else this.#running.delete(projectId);
  }

  /** The oldest jobs that the runner may get, one a lane; of the project with the fewest running jobs first. */
  *candidates(runner: RunnerRow): Generator<QueuedJob> {
    const running = ({ projectId }: Lane) => this.#running.get(projectId) ?? 0;
    const found = [...this.#lanes.values()].filter((lane) => fits(runner, lane));
    found.sort((a, b) => running(a) - running(b) || a.servedAt - b.servedAt);
    for (const { jobs } of found) {
      const [oldest] = jobs.values();
      if (oldest) yield oldest;
    }
  }

  /** Takes a job out of the queue, if nobody else has. */
  take(jobId: number): boolean {
    const lane = this.#laneOf.get(jobId);
    if (!lane) return false;
    lane.servedAt = ++this.#served;
    this.remove(jobId);
    return true;
  }
}
