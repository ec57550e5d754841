import { join } from 'node:path';
import { createNames, type Names } from '@forgelog/directory/names.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { createGit, type Git } from '@forgelog/git/git.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import { type CodeIndex, createCodeIndex } from './code-index/code-index.ts';
import { codeOwnerCheck } from './code-owners/code-owner-check.ts';
import { createMergeRequestRefs, type MergeRequestRefs } from './merges/merge-request-refs.ts';
import { type ProjectListing, projectListing } from './projects/project.query.ts';
import { type ProjectAnswers, projectAnswers } from './projects/project-caller.view.ts';
import type { Storages } from './projects/storages.ts';
import { protectedBranchRules } from './protected-branches/protected-branch.rules.ts';
import { protectedTagRules } from './protected-tags/protected-tag.rules.ts';
import {
  firstProblem,
  type PushRuleCheck,
  pushRuleCheck,
  refusingPushRules,
} from './push-rules/push-rule-check.ts';
import { defaultBranchRules } from './refs/default-branch.rules.ts';
import { forkCollaborations } from './refs/fork-collaborations.ts';
import { createRefAccess, type RefAccessOf } from './refs/ref.access.ts';
import { refProtections } from './refs/ref-protection.rules.ts';
import { type ReleasesOfTags, releasesOfTags } from './releases/releases-of-tags.query.ts';
import { createForking, type Forking } from './repository-storage/forking.ts';
import { createPushVariables, type PushVariables } from './repository-storage/push-variables.ts';
import { createRepositories, type Repositories } from './repository-storage/repositories.ts';
import { type UnclaimedRepositories, unclaimedRepositories } from './repository-storage/unclaimed.ts';

/** The ports of this service's slices, in addition to those of every service. */
export interface RepoPorts extends ServicePorts {
  root: string;
  git: Git;
  storages: Storages;
  repositories: Repositories;
  refAccess: RefAccessOf;
  pushRules: PushRuleCheck;
  mergeRequestRefs: MergeRequestRefs;
  protectedBranchRules: ReturnType<typeof protectedBranchRules>;
  protectedTagRules: ReturnType<typeof protectedTagRules>;
  names: Names;
  unclaimed: UnclaimedRepositories;
  forking: Forking;
  pushVariables: PushVariables;
  answers: ProjectAnswers;
  listing: ProjectListing;
  releasesOfTags: ReleasesOfTags;
  codeIndex: CodeIndex;
}

/** Wires the ports; it does no I/O yet. */
export function createRepoPorts(ports: ServicePorts, storages: Storages): RepoPorts {
  const root = join(ports.configuration.DATA_DIR, 'repositories');
  const git = createGit({ root });
  const branchRules = protectedBranchRules(ports.readStore);
  const tagRules = protectedTagRules(ports.readStore);
  // Rules that protect refs, the deciding source first.
  const protections = refProtections(
    [branchRules, tagRules, defaultBranchRules(ports.directory)],
    ports.directory,
  );
  const repositories = createRepositories({ git, storages, ...ports });
  const unclaimed = unclaimedRepositories({ root, repositories, commands: ports.commands });
  const pushRules = firstProblem(pushRuleCheck(ports), codeOwnerCheck({ ...ports, repositories }));
  repositories.onMoving(refusingPushRules(pushRules, repositories));
  const codeIndex = createCodeIndex({ ...ports, repositories, storages });
  repositories.onMoved(codeIndex.moved);
  repositories.onRemoved(codeIndex.forget);
  const mergeRequestRefs = createMergeRequestRefs({ ...ports, repositories, storages });
  const answers = projectAnswers({ ...ports, instanceKey: lazyInstanceKey(ports.configuration) });
  return {
    ...ports,
    root,
    git,
    storages,
    repositories,
    unclaimed,
    mergeRequestRefs,
    forking: createForking({ commands: ports.commands, repositories, unclaimed }),
    pushRules,
    refAccess: createRefAccess(protections, ports.directory, forkCollaborations(ports.directory)),
    protectedBranchRules: branchRules,
    protectedTagRules: tagRules,
    names: createNames(ports),
    pushVariables: createPushVariables(),
    answers,
    listing: projectListing({ ...ports, answers }),
    releasesOfTags: releasesOfTags(ports),
    codeIndex,
  };
}
