import type { RunnerRow } from '../runners/runners.projection.ts';
import { fits, type JobNeeds, placesOf, type RunnersOf } from './fitting.ts';
import { isBefore, type Lane, Line, type QueuedJob } from './lane-line.ts';

interface Project {
  lanes: Map<string, Lane>;
  running: number;
  servedBy: readonly RunnersOf[];
}

interface LineOfKind {
  needs: JobNeeds;
  line: Line;
}

/** Pending jobs in lanes, which stand in line for the runners of their project (ADR 49). */
export class Lanes {
  readonly #laneOf = new Map<number, Lane>();
  readonly #projects = new Map<number, Project>();
  readonly #lines = new Map<RunnersOf, Map<string, LineOfKind>>();
  readonly #runs = new Map<number, number>();
  #arrivals = 0;

  get size(): number {
    return this.#laneOf.size;
  }

  add(job: QueuedJob, servedBy: readonly RunnersOf[]): void {
    if (this.#laneOf.has(job.id)) return;
    const { projectId, isProtected } = job;
    const tags = job.tags.toSorted();
    const project = this.#project(projectId);
    this.serve(projectId, servedBy);
    const key = keyOf({ isProtected, tags });
    let lane = project.lanes.get(key);
    if (!lane) {
      lane = { projectId, isProtected, tags, jobs: new Map(), running: 0, arrival: 0 };
      project.lanes.set(key, lane);
      this.#enter(lane, project);
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
    const project = this.#project(lane.projectId);
    this.#leave(lane, project);
    project.lanes.delete(keyOf(lane));
    this.#tidy(lane.projectId);
  }

  /** Removes the jobs of a project, or of one pipeline of it. */
  removeAll(projectId: number, pipelineId?: number): void {
    for (const { jobs } of [...(this.#projects.get(projectId)?.lanes.values() ?? [])])
      for (const job of [...jobs.values()])
        if (pipelineId === undefined || job.pipelineId === pipelineId) this.remove(job.id);
  }

  serve(projectId: number, servedBy: readonly RunnersOf[]): void {
    const project = this.#projects.get(projectId);
    if (!project || String(project.servedBy) === String(servedBy)) return;
    this.#change(project, () => {
      project.servedBy = servedBy;
    });
  }

  projectIds(): number[] {
    return [...this.#projects.keys()];
  }

  began(jobId: number, projectId: number): void {
    if (this.#runs.has(jobId)) return;
    this.#runs.set(jobId, projectId);
    const project = this.#project(projectId);
    this.#change(project, () => {
      project.running += 1;
    });
  }

  ended(jobId: number): void {
    const projectId = this.#runs.get(jobId);
    if (projectId === undefined) return;
    this.#runs.delete(jobId);
    const project = this.#project(projectId);
    this.#change(project, () => {
      project.running -= 1;
    });
    this.#tidy(projectId);
  }

  /** The oldest job of the lane that is first: of the project with the fewest running jobs, then the longest in line. */
  next(runner: RunnerRow): QueuedJob | undefined {
    let best: Lane | undefined;
    for (const place of placesOf(runner))
      for (const { needs, line } of this.#lines.get(place)?.values() ?? []) {
        const lane = fits(runner, needs) ? line.first : undefined;
        if (lane && (!best || isBefore(lane, best))) best = lane;
      }
    return best?.jobs.values().next().value;
  }

  /** Takes a job out of the queue, if nobody else has. */
  take(jobId: number): boolean {
    const lane = this.#laneOf.get(jobId);
    if (!lane) return false;
    const project = this.#project(lane.projectId);
    this.#leave(lane, project);
    this.#enter(lane, project);
    this.remove(jobId);
    return true;
  }

  #project(id: number): Project {
    let project = this.#projects.get(id);
    if (!project) {
      project = { lanes: new Map(), running: 0, servedBy: [] };
      this.#projects.set(id, project);
    }
    return project;
  }

  #tidy(projectId: number): void {
    const project = this.#projects.get(projectId);
    if (project?.lanes.size === 0 && project.running === 0) this.#projects.delete(projectId);
  }

  #change(project: Project, change: () => void): void {
    for (const lane of project.lanes.values()) this.#leave(lane, project);
    change();
    for (const lane of project.lanes.values()) this.#enter(lane, project);
  }

  #enter(lane: Lane, { running, servedBy }: Project): void {
    lane.running = running;
    lane.arrival = ++this.#arrivals;
    const key = keyOf(lane);
    for (const place of servedBy) {
      const lines = this.#lines.get(place) ?? new Map<string, LineOfKind>();
      this.#lines.set(place, lines);
      const { line } = lines.get(key) ?? { line: new Line() };
      lines.set(key, { needs: lane, line });
      line.enter(lane);
    }
  }

  #leave(lane: Lane, { servedBy }: Project): void {
    const key = keyOf(lane);
    for (const place of servedBy) {
      const lines = this.#lines.get(place);
      const line = lines?.get(key)?.line;
      line?.leave(lane);
      if (line?.isEmpty) lines?.delete(key);
      if (lines?.size === 0) this.#lines.delete(place);
    }
  }
}

const keyOf = ({ isProtected, tags }: JobNeeds): string => JSON.stringify([isProtected, tags]);
