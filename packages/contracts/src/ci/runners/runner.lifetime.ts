import { GroupDeleted } from '../../admin/groups/group.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import {
  RunnerDisabledForProject,
  RunnerEnabledForProject,
  RunnerRegistered,
  RunnerRemoved,
  RunnerUpdated,
} from './runner.events.ts';

export const runnerLifetime = defineLifetime({
  kind: 'Runner',
  id: ['runnerId'],
  begins: [begins(RunnerRegistered)],
  changes: changedBy(RunnerUpdated),
  ends: [
    endsWith(RunnerRemoved, ['runnerId']),
    endsWith(GroupDeleted, ['groupId'], { announcedBy: RunnerRemoved }),
  ],
});

/** A project that a runner works for. */
export const projectRunnerLifetime = defineLifetime({
  kind: 'ProjectRunner',
  id: ['runnerId', 'projectId'],
  begins: [begins(RunnerEnabledForProject)],
  ends: [
    endsWith(RunnerDisabledForProject, ['runnerId', 'projectId']),
    endsWith(ProjectDeleted, ['projectId'], { announcedBy: RunnerDisabledForProject }),
  ],
});
