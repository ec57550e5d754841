import { join } from 'node:path';
import { createNames } from '@forgelog/directory/names.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { createGit } from '@forgelog/git/git.ts';
import type { GitTransport } from '@forgelog/service-kit/git-transport.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import { branchRoutes } from './branches/branch.routes.ts';
import { changelogRoutes } from './changelog/changelog.routes.ts';
import { commitRoutes } from './commits/commit.routes.ts';
import { fileReadRoutes } from './files/file-read.routes.ts';
import { fileWriteRoutes } from './files/file-write.routes.ts';
import { firstPushes } from './projects/first-push.commands.ts';
import { projectOperations } from './projects/project.operations.ts';
import { projectPolicies } from './projects/project.policies.ts';
import { type ProjectPorts, projectRoutes } from './projects/project.routes.ts';
import { projectAnswers } from './projects/project-answers.ts';
import { projectCreation } from './projects/project-creation.ts';
import { projectListing } from './projects/project-list.ts';
import { projectsProjection } from './projects/projects.projection.ts';
import { ONE_STORAGE, type Storages } from './projects/storages.ts';
import { defaultBranchRules } from './refs/default-branch-rules.ts';
import { createRefAccess } from './refs/ref.access.ts';
import { refProtections } from './refs/ref-protection.ts';
import { defaultBranches } from './repositories/default-branch.ts';
import { firstPushOperations } from './repositories/first-push.operations.ts';
import { addGitMetrics } from './repositories/git-metrics.ts';
import { createGitTransport } from './repositories/git-transport.ts';
import { createHousekeeping } from './repositories/housekeeping.ts';
import { createReconciler } from './repositories/reconciler.ts';
import { createRepositories } from './repositories/repositories.ts';
import { repositoryRefsProjection } from './repositories/repository-refs.projection.ts';
import { repositoryStatistics } from './repositories/repository-statistics.ts';
import { requireFolderOf } from './repositories/storage-mark.ts';
import { unclaimedRepositories } from './repositories/unclaimed.ts';
import { archiveRoutes } from './repository/archive.routes.ts';
import type { ContentPorts } from './repository/content-ports.ts';
import { refusingDeleted } from './repository/deleted-projects.ts';
import { historyRoutes } from './repository/history.routes.ts';
import { treeRoutes } from './repository/tree.routes.ts';
import { tagRoutes } from './tags/tag.routes.ts';

/** What the slices of this service are made of, beyond what every service has. */
export type RepoPorts = ProjectPorts & ContentPorts;

/** The repo service: a line a slice. It shows every project and holds the repositories of one storage. */
export function createRepo(
  ports: ServicePorts,
  storages: Storages = ONE_STORAGE,
): Service & { transport: GitTransport } {
  const root = join(ports.configuration.DATA_DIR, 'repositories');
  const git = createGit({ root });
  addGitMetrics(ports.metrics, git);
  const repositories = createRepositories({ git, ...ports });
  // What protects refs: a source of rules each.
  const protections = refProtections([defaultBranchRules(ports.directory)], ports.directory);
  const refAccess = createRefAccess(protections);
  const instanceKey = lazyInstanceKey(ports.configuration);
  const answers = projectAnswers({ ...ports, instanceKey });
  const listing = projectListing({ ...ports, answers });
  const slices: RepoPorts = {
    ...ports,
    storages,
    repositories,
    refAccess,
    answers,
    listing,
    names: createNames(ports),
    // There are no releases yet.
    releaseOfTag: async () => undefined,
  };
  const first = firstPushes({ ...slices, creation: projectCreation(slices) });
  const defaults = defaultBranches(slices);
  const housekeeping = createHousekeeping(slices);
  const statistics = repositoryStatistics({ ...slices, measured: housekeeping.consider });
  const unclaimed = unclaimedRepositories({ root, ...slices });
  const reconciler = createReconciler({ root, git, ...slices });
  repositories.onMoved(defaults.settle);
  return {
    name: 'repo',
    implementations: refusingDeleted(repositories, [
      ...projectRoutes(slices),
      ...treeRoutes(slices),
      ...archiveRoutes(slices),
      ...historyRoutes(slices),
      ...changelogRoutes(slices),
      ...fileReadRoutes(slices),
      ...fileWriteRoutes(slices),
      ...branchRoutes(slices),
      ...tagRoutes(slices),
      ...commitRoutes(slices),
    ]),
    projections: [projectsProjection, repositoryRefsProjection],
    policies: [...projectPolicies(slices), defaults.policy, statistics.policy],
    transport: createGitTransport({ ...slices, unclaimed, first }),
    operations: [...projectOperations(slices), ...firstPushOperations({ first, repositories })],
    async start() {
      await requireFolderOf(root, storages.own);
      await unclaimed.sweep();
      await reconciler.start();
      repositories.open();
    },
    async stop() {
      await housekeeping.stop();
      await git.close();
      repositories.open(); // whoever waited for a start that failed must end too
      if (await repositories.ended()) await reconciler.stopped();
    },
  };
}
