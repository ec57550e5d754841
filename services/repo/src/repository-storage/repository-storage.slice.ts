import type { GitTransport } from '@forgelog/service-kit/git-transport.ts';
import { defineSlice, type Slice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { firstPushes } from '../projects/first-push.commands.ts';
import { projectCreation } from '../projects/project-creation.commands.ts';
import { defaultBranches } from './default-branch.policy.ts';
import { firstPushOperations } from './first-push.operations.ts';
import { addGitMetrics, addRepositoryMetrics } from './git-metrics.ts';
import { createGitTransport } from './git-transport.ts';
import { housekeepingRoutes } from './housekeeping.routes.ts';
import { createHousekeeping } from './housekeeping.ts';
import { interruptedPushes } from './interrupted-push.policy.ts';
import { createReconciler } from './reconciler.ts';
import { repositoryRefsProjection } from './repository-refs.projection.ts';
import { repositoryStatistics } from './repository-statistics.policy.ts';
import { requireFolderOf } from './storage-mark.ts';
import { unfinishedForks } from './unfinished-fork.policy.ts';

/** Creates, pushes to, reconciles, packs and removes repositories. */
export function repositoryStorageSlice(ports: RepoPorts): {
  slice: Slice<RepoPorts>;
  transport: Omit<GitTransport, 'snippets' | 'wikis'>;
} {
  const { root, git, repositories, storages, unclaimed } = ports;
  addGitMetrics(ports.metrics, git);
  addRepositoryMetrics(ports.metrics, ports.readStore);
  const first = firstPushes({ ...ports, creation: projectCreation(ports) });
  const defaults = defaultBranches(ports);
  const housekeeping = createHousekeeping(ports);
  const statistics = repositoryStatistics({ ...ports, measured: housekeeping.consider });
  const reconciler = createReconciler(ports);
  repositories.onMoved(defaults.chooseFirst);
  const slice = defineSlice<RepoPorts>({
    routes: [() => housekeepingRoutes(ports, housekeeping)],
    projections: [repositoryRefsProjection],
    policies: [() => [defaults.policy, statistics.policy, interruptedPushes(ports), unfinishedForks(ports)]],
    operations: [() => firstPushOperations({ first, repositories })],
    workers: [
      () => ({
        async start() {
          await requireFolderOf(root, storages.own);
          await unclaimed.sweep();
          await reconciler.start();
          repositories.open();
        },
        async stop() {
          await housekeeping.stop();
          await git.close();
          repositories.open(); // release waiters after a failed start too
          if (await repositories.ended()) await reconciler.stopped();
        },
      }),
    ],
  });
  return { slice, transport: createGitTransport({ ...ports, first }) };
}
