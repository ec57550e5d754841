import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  compareRefs,
  getMergeBase,
  listContributors,
} from '@forgelog/contracts/repo/repositories/repository.api.ts';
import { grantProject } from '@forgelog/directory/authorizer.ts';
import type { Contributor } from '@forgelog/git/history/history.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import { detailedCommitJson } from '../commits/commit.view.ts';
import type { RepoPorts } from '../ports.ts';
import { requireSameStorage } from '../shared/bring-commits.ts';
import { implementWithGit } from '../shared/git-refusals.ts';
import { pageOfCommits, partOf } from '../shared/page-of-commits.ts';
import { findRevision, needCommit, needRevision, refuseEmpty } from '../shared/revisions.ts';
import { comparisonJson } from './comparison.view.ts';
import { contributorJson } from './contributor.view.ts';

/** The most commits a comparison lists, newest first. */
const MAX_COMPARED = 10_000;

/** Serves comparisons, merge bases and contributors [L214-L216]. */
export function historyRoutes(ports: RepoPorts): Implementation[] {
  const { repositories, directory } = ports;
  const view = comparisonJson.renderer(ports);
  const contributorsView = contributorJson.renderer(ports);
  const mergeBaseView = detailedCommitJson.renderer(ports);

  /** Finds the repository of `from`, and a view that sees the objects of both. */
  async function fromSide({ params, project, principal }: ApiRequest<typeof compareRefs>) {
    const here = repositories.of(project.project.id);
    const otherId = params.from_project_id;
    if (otherId === undefined || otherId === project.project.id)
      return { from: here as RepositoryReads, project: project.project, both: here as RepositoryReads };
    const other = await directory.project(otherId);
    const grant = other && (await grantProject(other, principal, directory));
    if (!grant?.can('repository')) throw new Rejection('not_found', { what: 'Project' });
    requireSameStorage(grant.project, project.project);
    const there = repositories.of(otherId);
    return { from: there as RepositoryReads, project: grant.project, both: here.withObjectsOf([there]) };
  }

  return [
    implementWithGit(compareRefs, async (request) => {
      const { params, project, signal } = request;
      refuseEmpty(params, 'from', 'to');
      const side = await fromSide(request);
      const from = await needRevision(side.from, side.project, params.from, 'Ref');
      const to = await needRevision(repositories.of(project.project.id), project.project, params.to, 'Ref');
      if (from === to) {
        return json(view.one({ commits: [], diffs: [], timedOut: false, isSame: true }));
      }
      const { both } = side;
      const [log, base] = await Promise.all([
        both.commits({ range: { include: [to], exclude: [from] }, limit: MAX_COMPARED }),
        params.straight ? from : both.mergeBase([from, to]),
      ]);
      const diff = await both.diff(base, to, { signal });
      const commits = log!.commits.toReversed();
      return json(view.one({ commits, diffs: diff.entries, timedOut: diff.timedOut, isSame: false }));
    }),

    implementWithGit(listContributors, async ({ params, project, page }) => {
      const repository = repositories.of(project.project.id);
      const { order_by: by, sort } = params;
      const { items, next } = await pageOfCommits(repository, page, {
        name: [by, sort],
        async commits() {
          const revision = await findRevision(repository, project.project, undefined);
          return revision ? [revision.oid] : [];
        },
        async read([oid], offset) {
          const all = inOrder(oid === undefined ? [] : await repository.contributors(oid), by, sort);
          return partOf(all, offset, page.size);
        },
      });
      return { kind: 'list', items: contributorsView.list(items), next };
    }),

    implementWithGit(getMergeBase, async ({ params, project }) => {
      const repository = repositories.of(project.project.id);
      if (params.refs.length < 2) throw new Rejection('refused', { message: 'Provide at least 2 refs' });
      const found = await Promise.all(
        params.refs.map((name) =>
          name === '' ? undefined : findRevision(repository, project.project, name),
        ),
      );
      const unknown = params.refs.filter((_, index) => !found[index]);
      if (unknown.length > 0) {
        const noun = unknown.length === 1 ? 'ref' : 'refs';
        throw new Rejection('refused', { message: `Could not find ${noun}: ${unknown.join(', ')}` });
      }
      const base = await repository.mergeBase(found.map((revision) => revision!.oid));
      if (base === undefined) throw new Rejection('not_found', { what: 'Merge Base' });
      return json(mergeBaseView.one(await needCommit(repository, base)));
    }),
  ];
}

/** Sorts as requested, with email and name as tie-breakers so that pages do not overlap. */
function inOrder(
  contributors: readonly Contributor[],
  by: 'name' | 'email' | 'commits',
  direction: 'asc' | 'desc',
): Contributor[] {
  const sign = direction === 'asc' ? 1 : -1;
  const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return contributors.toSorted((a, b) => {
    const first = by === 'commits' ? a.commits - b.commits : text(a[by], b[by]);
    return first * sign || text(a.email, b.email) || text(a.name, b.name);
  });
}
