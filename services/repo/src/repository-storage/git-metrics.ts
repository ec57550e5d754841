import { desc, eq } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Git } from '@forgelog/git/git.ts';
import type { Metrics } from '@forgelog/service-kit/telemetry/metrics.ts';
import { projects } from '../projects/project.collection.ts';

const MOST_SHOWN = 10;

/** The largest repositories, as measured after their last push. A project that leaves the ten leaves the metric. */
export function addRepositoryMetrics(metrics: Metrics, readStore: Pick<ReadStore, 'find'>): void {
  metrics.gauge(
    {
      name: 'forgelog_repository_bytes',
      help: `Size of the ${MOST_SHOWN} largest repositories, by the id of their project.`,
      labels: ['project'],
    },
    async () => {
      const largest = await readStore.find(projects, {
        where: eq('gone', false),
        sort: [desc('repositorySize')],
        limit: MOST_SHOWN,
        select: ['id', 'repositorySize'],
      });
      return largest.map(({ id, repositorySize }) => [[String(id)], repositorySize]);
    },
  );
}

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
