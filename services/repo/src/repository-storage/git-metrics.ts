import type { Git } from '@forgelog/git/git.ts';
import type { Metrics } from '@forgelog/service-kit/telemetry/metrics.ts';

/** Gauges of running git processes and queued commands, by weight (see git-runner.ts). */
export function addGitMetrics(metrics: Metrics, git: Pick<Git, 'load'>): void {
  const reading = (what: 'running' | 'waiting') => () =>
    Object.entries(git.load()).map(([weight, load]) => [[weight], load[what]] as const);
  metrics.gauge(
    { name: 'forgelog_git_processes', help: 'Processes of git that run, by weight.', labels: ['weight'] },
    reading('running'),
  );
  metrics.gauge(
    {
      name: 'forgelog_git_waiting',
      help: 'Commands of git that wait for a place, by weight.',
      labels: ['weight'],
    },
    reading('waiting'),
  );
}
