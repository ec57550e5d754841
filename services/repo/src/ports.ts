import { join } from 'node:path';
import { createNames, type Names } from '@forgelog/directory/names.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { createGit, type Git } from '@forgelog/git/git.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import { type ProjectListing, projectListing } from './projects/project.query.ts';
import { type ProjectAnswers, projectAnswers } from './projects/project-caller.view.ts';
import type { Storages } from './projects/storages.ts';
import { defaultBranchRules } from './refs/default-branch.rules.ts';
import { createRefAccess, type RefAccessOf } from './refs/ref.access.ts';
import { refProtections } from './refs/ref-protection.rules.ts';
import { createRepositories, type Repositories } from './repository-storage/repositories.ts';

/** What the slices of this service are made of, beyond what every service has. */
export interface RepoPorts extends ServicePorts {
  /** The folder of this storage's repositories. */
  root: string;
  git: Git;
  storages: Storages;
  repositories: Repositories;
  refAccess: RefAccessOf;
  names: Names;
  answers: ProjectAnswers;
  listing: ProjectListing;
  /** The release of a tag, undefined where it has none. */
  releaseOfTag(
    projectId: number,
    tagName: string,
  ): Promise<{ tag_name: string; description: string | null } | undefined>;
}

/** Nothing is read, written or started yet. */
export function createRepoPorts(ports: ServicePorts, storages: Storages): RepoPorts {
  const root = join(ports.configuration.DATA_DIR, 'repositories');
  const git = createGit({ root });
  // What protects refs: a source of rules each.
  const protections = refProtections([defaultBranchRules(ports.directory)], ports.directory);
  const answers = projectAnswers({ ...ports, instanceKey: lazyInstanceKey(ports.configuration) });
  return {
    ...ports,
    root,
    git,
    storages,
    repositories: createRepositories({ git, ...ports }),
    refAccess: createRefAccess(protections),
    names: createNames(ports),
    answers,
    listing: projectListing({ ...ports, answers }),
    // There are no releases yet.
    releaseOfTag: async () => undefined,
  };
}
