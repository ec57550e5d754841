import {
  protectBranch,
  unprotectBranch,
} from '@forgelog/contracts/repo/protected-branches/protected-branch.api.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import { needBranch } from '../branches/branch.query.ts';
import { branchJson, shownBranches } from '../branches/branch.view.ts';
import type { RepoPorts } from '../ports.ts';
import { levelAdmission } from '../refs/admission.rules.ts';
import { implementWithGit } from '../shared/git-refusals.ts';
import { protectedBranchCommands } from './protected-branch.commands.ts';

/** Level of `developers_can_push` and its like; undefined where it is not given. */
const levelOf = (developersCan: boolean | undefined) =>
  developersCan === undefined ? undefined : [levelAdmission(developersCan ? 30 : 40)];

const MAINTAINERS = [levelAdmission(40)];

/** The deprecated form, in which protection is a property of one branch. */
export function branchProtectionRoutes(ports: RepoPorts): Implementation[] {
  const { repositories, refAccess } = ports;
  const view = branchJson.renderer(ports);
  const protection = protectedBranchCommands(ports);

  async function answerOf(grant: ProjectGrant, name: string) {
    const repository = repositories.of(grant.project.id);
    const branch = await needBranch(repository, name);
    const [shown] = await shownBranches(repository, grant, await refAccess(grant), [branch]);
    return json(view.one(shown!));
  }

  async function protect(
    grant: ProjectGrant,
    name: string,
    given: { push: boolean | undefined; merge: boolean | undefined },
    metadata: EventMetadata,
  ): Promise<void> {
    const [pushAccess, mergeAccess] = [levelOf(given.push), levelOf(given.merge)];
    const projectId = grant.project.id;
    if (await protection.find(projectId, name))
      return protection.change(grant, name, { pushAccess, mergeAccess }, metadata);
    return protection.protect(
      {
        ...{ projectId, name, unprotectAccess: MAINTAINERS },
        ...{ pushAccess: pushAccess ?? MAINTAINERS, mergeAccess: mergeAccess ?? MAINTAINERS },
        ...{ allowForcePush: false, codeOwnerApprovalRequired: false },
      },
      metadata,
    );
  }

  return [
    implementWithGit(protectBranch, async ({ params, project: grant, metadata }) => {
      await needBranch(repositories.of(grant.project.id), params.branch);
      const { developers_can_push: push, developers_can_merge: merge } = params;
      await protect(grant, params.branch, { push, merge }, metadata);
      return answerOf(grant, params.branch);
    }),

    implementWithGit(unprotectBranch, async ({ params, project: grant, metadata }) => {
      await needBranch(repositories.of(grant.project.id), params.branch);
      if (await protection.find(grant.project.id, params.branch))
        await protection.unprotect(grant, params.branch, metadata);
      return answerOf(grant, params.branch);
    }),
  ];
}
