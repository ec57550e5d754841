import type { RunnerRow } from '../runners/runners.projection.ts';

/** What jobs of one lane have in common. */
export interface LaneFacts {
  projectId: number;
  tags: readonly string[];
  isProtected: boolean;
}

/** Whether a runner gets jobs of a lane, as far as the runner itself says. */
export function fits(runner: RunnerRow, { projectId, tags, isProtected }: LaneFacts): boolean {
  if (!runner.active) return false;
  if (runner.accessLevel === 'ref_protected' && !isProtected) return false;
  if (runner.runnerType === 'project_type' && !runner.projectIds.includes(projectId)) return false;
  return tags.length === 0 ? runner.runUntagged : tags.every((tag) => runner.tags.includes(tag));
}
