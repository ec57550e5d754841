import type { JobNeeds } from './fitting.ts';

export interface QueuedJob extends JobNeeds {
  id: number;
  projectId: number;
  iid: number;
  pipelineId: number;
}

/** Pending jobs of one project that the same runners may get. */
export interface Lane extends JobNeeds {
  projectId: number;
  /** The oldest first. */
  jobs: Map<number, QueuedJob>;
  running: number;
  arrival: number;
}

export const isBefore = (one: Lane, other: Lane): boolean =>
  one.running < other.running || (one.running === other.running && one.arrival < other.arrival);

/** Those with the fewest running jobs are first. Nothing here takes longer with more lanes. */
export class Line {
  /** Sets in the order of arrival. Numbers are few: a hundred of them take 4,950 running jobs. */
  readonly #byRunning = new Map<number, Set<Lane>>();

  get isEmpty(): boolean {
    return this.#byRunning.size === 0;
  }

  get first(): Lane | undefined {
    const [lane] = this.#byRunning.get(Math.min(...this.#byRunning.keys())) ?? [];
    return lane;
  }

  enter(lane: Lane): void {
    const lanes = this.#byRunning.get(lane.running);
    if (lanes) lanes.add(lane);
    else this.#byRunning.set(lane.running, new Set([lane]));
  }

  leave(lane: Lane): void {
    const lanes = this.#byRunning.get(lane.running);
    lanes?.delete(lane);
    if (lanes?.size === 0) this.#byRunning.delete(lane.running);
  }
}
