import type { RunnerRow } from '../runners/runners.projection.ts';

export interface JobNeeds {
  tags: readonly string[];
  isProtected: boolean;
}

/** Runners by whom they work for: all projects that use shared runners, those below a group, or one. */
export type RunnersOf = 'instance' | `group ${number}` | `project ${number}`;

export function placesOf({ runnerType, groupId, projectIds }: RunnerRow): RunnersOf[] {
  if (runnerType === 'instance_type') return ['instance'];
  return runnerType === 'group_type'
    ? [`group ${groupId!}`]
    : projectIds.map((id) => `project ${id}` as const);
}

/** Whether a runner may get a job, as far as the runner itself says. */
export function fits(runner: RunnerRow, { tags, isProtected }: JobNeeds): boolean {
  if (!runner.active) return false;
  if (runner.accessLevel === 'ref_protected' && !isProtected) return false;
  return tags.length === 0 ? runner.runUntagged : tags.every((tag) => runner.tags.includes(tag));
}

export const isServedBy = (runner: RunnerRow, runners: readonly RunnersOf[]): boolean =>
  placesOf(runner).some((place) => runners.includes(place));
