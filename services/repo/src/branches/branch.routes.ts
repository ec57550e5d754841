import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  createBranch,
  deleteBranch,
  deleteMergedBranches,
  getBranch,
  headBranch,
  listBranches,
} from '@forgelog/contracts/repo/branches/branch.api.ts';
import { RefMovedError } from '@forgelog/git/errors.ts';
import type { Repository } from '@forgelog/git/git.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { branchNameProblem } from '@forgelog/git/refs/ref-name.ts';
import type { Ref } from '@forgelog/git/refs/ref-store.ts';
import { accepted, json, noContent } from '@forgelog/service-kit/answer.ts';
import { requireUnmodifiedSince } from '@forgelog/service-kit/precondition.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { implementWithGit } from '../shared/git-refusals.ts';
import { moveRef } from '../shared/move-ref.commands.ts';
import { pageOfNames } from '../shared/name-search.ts';
import { serializedPerRef } from '../shared/ref-queue.ts';
import { findRevision, needCommit, refuseEmpty } from '../shared/revisions.ts';
import { needBranch } from './branch.query.ts';
import { type Branch, branchJson, shownBranches } from './branch.view.ts';
import { createFirstBranch } from './first-branch.commands.ts';

const PREFIX = 'refs/heads/';
const IN_THE_WAY = 'Another branch is in the way of this name';
const TAKEN = { moved: 'Branch already exists', inTheWay: IN_THE_WAY };
const MOVED = { moved: 'The branch was updated meanwhile', inTheWay: IN_THE_WAY };
const refused = (message: string) => new Rejection('refused', { message });

export function branchRoutes(ports: RepoPorts): Implementation[] {
  const { repositories, refAccess } = ports;
  const view = branchJson.renderer(ports);

  return [
    implementWithGit(listBranches, async ({ params, project, page }) => {
      const repository = repositories.of(project.project.id);
      const refs = await repository.listRefs(PREFIX);
      const { items, next } = pageOfNames(refs, nameOf, page, params.search, 'name', [
        { of: nameOf, direction: 'asc' },
      ]);
      const shown = await shownBranches(repository, project, await refAccess(project), items.map(branchOf));
      return { kind: 'list', items: view.list(shown), next };
    }),

    implementWithGit(getBranch, async ({ params, project }) => {
      const repository = repositories.of(project.project.id);
      const branch = await needBranch(repository, params.branch);
      const [shown] = await shownBranches(repository, project, await refAccess(project), [branch]);
      return json(view.one(shown!));
    }),

    implementWithGit(headBranch, async ({ params, project }) => {
      await needBranch(repositories.of(project.project.id), params.branch);
      return noContent();
    }),

    implementWithGit(createBranch, async (request) => {
      const { params, project: grant } = request;
      refuseEmpty(params, 'branch', 'ref');
      const name = params.branch;
      const problem = branchNameProblem(name);
      if (problem) throw refused(problem);
      const access = await refAccess(grant);
      if (!access.mayMove(PREFIX + name, 'create')) throw new Rejection('forbidden', {});
      const repository = repositories.of(grant.project.id);
      const oid = await serializedPerRef(grant.project.id, PREFIX + name, async () => {
        if ((await repository.readRef(PREFIX + name)) !== undefined) throw refused('Branch already exists');
        const first = await createFirstBranch(ports, request, TAKEN);
        if (first !== undefined) return first;
        const start = await findRevision(repository, grant.project, params.ref);
        if (!start) throw refused(`Invalid reference name: ${params.ref}`);
        const update = { ref: PREFIX + name, oldOid: ZERO_OID, newOid: start.oid };
        await moveRef(ports, grant.project.id, update, request.metadata, TAKEN);
        return start.oid;
      });
      // The first branch becomes the default one, so reload it.
      const { defaultBranch } = (await ports.directory.project(grant.project.id)) ?? grant.project;
      const now = { ...grant, project: { ...grant.project, defaultBranch } };
      const [shown] = await shownBranches(repository, now, await refAccess(now), [{ name, oid }]);
      return json(view.one(shown!), { status: 201 });
    }),

    implementWithGit(deleteBranch, async ({ params, project: grant, metadata, headers }) => {
      const repository = repositories.of(grant.project.id);
      const name = params.branch;
      const access = await refAccess(grant);
      await serializedPerRef(grant.project.id, PREFIX + name, async () => {
        const { oid } = await needBranch(repository, name);
        if (name === grant.project.defaultBranch)
          throw new Rejection('forbidden', { reason: 'The default branch cannot be deleted' });
        if (!access.mayMove(PREFIX + name, 'delete'))
          throw new Rejection('forbidden', { reason: 'A protected branch cannot be deleted' });
        requireUnmodifiedSince(headers, (await needCommit(repository, oid)).committer.date.seconds * 1000);
        const update = { ref: PREFIX + name, oldOid: oid, newOid: ZERO_OID };
        await moveRef(ports, grant.project.id, update, metadata, MOVED);
      });
      return noContent();
    }),

    implementWithGit(deleteMergedBranches, async ({ project: grant, metadata }) => {
      const repository = repositories.of(grant.project.id);
      const access = await refAccess(grant);
      for (const { name, oid } of await mergedBranches(repository, grant.project.defaultBranch)) {
        if (access.protectionOf(PREFIX + name)) continue;
        if (!access.mayMove(PREFIX + name, 'delete')) continue;
        const update = { ref: PREFIX + name, oldOid: oid, newOid: ZERO_OID };
        await repositories.moveRefs(grant.project.id, [update], metadata, 'api').catch((error: unknown) => {
          // A push moved the branch meanwhile, so it is no longer merged: keep it.
          if (!(error instanceof RefMovedError)) throw error;
        });
      }
      return accepted();
    }),
  ];
}

const nameOf = ({ ref }: Ref): string => ref.slice(PREFIX.length);
const branchOf = (branch: Ref): Branch => ({ name: nameOf(branch), oid: branch.oid });

async function mergedBranches(repository: Repository, defaultBranch: string | null): Promise<Branch[]> {
  const tip = defaultBranch === null ? undefined : await repository.readRef(PREFIX + defaultBranch);
  if (tip === undefined) return [];
  const branches = (await repository.listRefs(PREFIX)).map(branchOf);
  const others = branches.filter(({ name }) => name !== defaultBranch);
  const merged = await repository.mergedInto(
    others.map(({ oid }) => oid),
    tip,
  );
  return others.filter(({ oid }) => merged.has(oid));
}
