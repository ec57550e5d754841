import type { PlannedNeed } from '@forgelog/ci-config/pipeline.ts';
import type { JobOutline } from '../configuration/compilation.ts';
import type { JobFacts } from './pipeline-state.ts';

/** What the stream of a pipeline holds of a planned job. */
export function jobFactsOf(outline: JobOutline, { timeoutSeconds }: { timeoutSeconds: number }): JobFacts {
  const { name, stage, stageIndex, when, startIn, allowFailure, allowFailureExitCodes } = outline;
  const { tags, environment, resourceGroup, retry, interruptible, timeout, trigger } = outline;
  return {
    ...{ name, stage, stageIndex, when, startIn, allowFailure, interruptible, resourceGroup },
    kind: trigger ? 'bridge' : 'build',
    allowFailureExitCodes: allowFailureExitCodes && [...allowFailureExitCodes],
    needs: needsOf(outline.needs),
    tags: [...tags],
    environment: environment && {
      name: environment.name,
      url: environment.url,
      action: environment.action,
      onStop: environment.onStop,
      autoStopIn: environment.autoStopIn,
      deploymentTier: environment.deploymentTier,
    },
    retry: { max: retry.max, when: [...retry.when] },
    timeoutSeconds: timeout ?? timeoutSeconds,
  };
}

/** Jobs of other pipelines have ended already; a job that needs only those waits for its stage. */
function needsOf(needs: readonly PlannedNeed[] | null): JobFacts['needs'] {
  if (!needs) return null;
  const own = needs.filter((need) => need.kind === 'job');
  if (own.length === 0 && needs.length > 0) return null;
  return own.map(({ job, artifacts, optional }) => ({ job, artifacts, optional }));
}
