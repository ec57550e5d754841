import {
  findPipelineOfCommit,
  type PipelineFacts,
} from '@forgelog/contracts/ci/pipelines/pipeline.operations.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  cherryPickCommit,
  createCommit,
  getCommit,
  getCommitDiff,
  listCommitRefs,
  listCommits,
  revertCommit,
} from '@forgelog/contracts/repo/commits/commit.api.ts';
import { grantProject, parseIdOrPath } from '@forgelog/directory/authorizer.ts';
import { GitBusyError, GitTimeoutError } from '@forgelog/git/errors.ts';
import type { Repository } from '@forgelog/git/git.ts';
import type { DiffStats } from '@forgelog/git/history/diff-stats.ts';
import type { Commit } from '@forgelog/git/objects/commit-object.ts';
import { normalizePath } from '@forgelog/git/trees/tree-path.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { json, value } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { Operations } from '@forgelog/service-kit/operations.ts';
import { type ArrayOrder, inOrder, pageOfArray } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { bringCommits, requireSameStorage } from '../shared/bring-commits.ts';
import { implementWithGit } from '../shared/git-refusals.ts';
import { pageOfCommits, partOf } from '../shared/page-of-commits.ts';
import { needCommit, needRevision, refuseEmpty } from '../shared/revisions.ts';
import { applyCommit, type CommitApplication } from './apply-commit.commands.ts';
import { writeCommit } from './commit.commands.ts';
import { pageOfAll, pageOfHistory } from './commit.query.ts';
import {
  type CommitRef,
  commitJson,
  commitRefJson,
  diffJson,
  listedCommitJson,
  singleCommitJson,
} from './commit.view.ts';
import { fileActions, lastKnownCommits } from './file-actions.ts';

export function commitRoutes(ports: RepoPorts): Implementation[] {
  const { repositories } = ports;
  const listedView = listedCommitJson.renderer(ports);
  const commitView = commitJson.renderer(ports);
  const singleView = singleCommitJson.renderer(ports);
  const refView = commitRefJson.renderer(ports);
  const diffView = diffJson.renderer(ports);

  return [
    implementWithGit(listCommits, async ({ params, project: { project }, page }) => {
      const repository = repositories.of(project.id);
      const options = {
        path: params.path === undefined ? undefined : normalizePath(params.path),
        since: params.since === undefined ? undefined : new Date(params.since),
        until: params.until === undefined ? undefined : new Date(params.until),
        author: params.author,
        firstParent: params.first_parent,
        order: params.order,
        withStats: params.with_stats,
      };
      const { items, next } = await (params.all
        ? pageOfAll(repository, page, options)
        : pageOfHistory(repository, page, options, { project, name: params.ref_name }));
      const shown = items.map((commit) => ({
        ...commit,
        projectId: project.id,
        showTrailers: params.trailers,
      }));
      return { kind: 'list', items: listedView.list(shown), next };
    }),

    implementWithGit(getCommit, async ({ params, project: { project }, principal }) => {
      const repository = repositories.of(project.id);
      const oid = await needRevision(repository, project, params.sha, 'Commit');
      const commit = await needCommit(repository, oid);
      const stats = params.stats ? await repository.commitStats(commit) : undefined;
      const pipeline = await pipelineOf(ports.operations, { projectId: project.id, sha: oid }, principal);
      return json(singleView.one({ ...commit, projectId: project.id, stats, pipeline }));
    }),

    implementWithGit(getCommitDiff, async ({ params, project: { project }, page, signal }) => {
      const repository = repositories.of(project.id);
      const { items, next } = await pageOfCommits(repository, page, {
        name: [params.sha],
        commits: async () => [await needRevision(repository, project, params.sha, 'Commit')],
        async read([oid], offset) {
          const commit = await needCommit(repository, oid!);
          const diff = await repository.diff(commit.parentIds[0], oid!, { signal });
          if (diff.timedOut) throw new GitTimeoutError();
          return partOf(diff.entries, offset, page.size);
        },
      });
      return { kind: 'list', items: diffView.list(items), next };
    }),

    implementWithGit(listCommitRefs, async ({ params, project: { project }, page }) => {
      const repository = repositories.of(project.id);
      const oid = await needRevision(repository, project, params.sha, 'Commit');
      const kinds = (['branch', 'tag'] as const).filter(
        (kind) => params.type === 'all' || params.type === kind,
      );
      const found = await Promise.all(
        kinds.map(async (type) => {
          const prefix = type === 'branch' ? 'refs/heads/' : 'refs/tags/';
          const refs = await repository.refsContaining(oid, prefix);
          return refs.map((ref) => ({ type, name: ref.slice(prefix.length) }));
        }),
      );
      const order: ArrayOrder<CommitRef> = [
        { of: ({ type }) => type, direction: 'asc' },
        { of: ({ name }) => name, direction: 'asc' },
      ];
      const { items, next } = pageOfArray(inOrder(found.flat(), order), page, 'name', order);
      return { kind: 'list', items: refView.list(items), next };
    }),

    implementWithGit(createCommit, async (request) => {
      const { params, project: grant, caller, metadata } = request;
      refuseEmpty(params, 'branch', 'commit_message');
      if (params.actions.length === 0)
        throw new Rejection('invalid_parameters', { problems: ['actions is empty'] });
      const start = await startOfCommit(request);
      const oid = await writeCommit(ports, {
        grant,
        caller,
        metadata,
        branch: params.branch,
        ...start,
        force: params.force,
        message: params.commit_message,
        authorName: params.author_name,
        authorEmail: params.author_email,
        actions: fileActions(params.actions),
        lastKnown: lastKnownCommits(params.actions),
      });
      const repository = repositories.of(grant.project.id);
      const written = await needCommit(repository, oid);
      const stats = params.stats ? await statsInTime(repository, written) : undefined;
      const shown = { ...written, projectId: grant.project.id, stats };
      return json(singleView.one(shown), { status: 201 });
    }),

    implementWithGit(cherryPickCommit, (request) =>
      apply(request, { direction: 'cherry-pick', message: request.params.message }),
    ),
    implementWithGit(revertCommit, (request) => apply(request, { direction: 'revert' })),
  ];

  async function apply(
    request: ApiRequest<typeof cherryPickCommit | typeof revertCommit>,
    how: Pick<CommitApplication, 'direction' | 'message'>,
  ) {
    const { params, project: grant, caller, metadata } = request;
    refuseEmpty(params, 'branch');
    const { sha: name, branch, dry_run: dryRun } = params;
    const oid = await applyCommit(ports, { grant, caller, metadata, name, branch, dryRun, ...how });
    if (oid === null) return value({ dry_run: 'success' }, { status: 200 });
    const commit = await needCommit(repositories.of(grant.project.id), oid);
    return json(commitView.one({ ...commit, projectId: grant.project.id }), { status: 201 });
  }

  /** Finds the start of a commit. Objects of another project's start are copied. */
  async function startOfCommit(request: ApiRequest<typeof createCommit>) {
    const { params, project: grant, principal, signal } = request;
    const startBranch = params.start_branch || undefined;
    const startSha = params.start_sha || undefined;
    const other = params.start_project ? await readable(params.start_project, principal) : grant;
    if (other.project.id === grant.project.id) return { startBranch, startSha };
    const [source, target] = [other.project, grant.project];
    requireSameStorage(source, target);
    const name = startSha ?? `refs/heads/${startBranch ?? params.branch}`;
    const start = await repositories.of(source.id).resolveRevision(name);
    if (!start) throw new Rejection('not_found', { what: 'Commit' });
    await bringCommits(ports, { source, target, oids: [start.oid], signal });
    return { startSha: start.oid };
  }

  /** Finds a project whose repository the caller may read. @throws 404 for any other */
  async function readable(idOrPath: string, principal: Principal | null): Promise<ProjectGrant> {
    const parsed = parseIdOrPath(idOrPath);
    const found =
      typeof parsed === 'number'
        ? await ports.directory.project(parsed)
        : await ports.directory.projectByPath(parsed);
    const grant = found && (await grantProject(found, principal, ports.directory));
    if (!grant?.can('repository')) throw new Rejection('not_found', { what: 'Project' });
    return grant;
  }
}

/** A commit is shown without its pipeline while the service of pipelines is away. */
async function pipelineOf(
  operations: Operations,
  commit: { projectId: number; sha: string },
  principal: Principal | null,
): Promise<PipelineFacts | null> {
  try {
    return (await operations.call(findPipelineOfCommit, commit, { principal })).pipeline;
  } catch (error) {
    if (error instanceof Rejection && error.code === 'unavailable') return null;
    throw error;
  }
}

/** Counts lines of a commit that was just written. Overload must not fail the answer, since the commit exists. */
async function statsInTime(repository: Repository, commit: Commit): Promise<DiffStats | undefined> {
  return repository.commitStats(commit).catch((error: unknown) => {
    if (error instanceof GitTimeoutError || error instanceof GitBusyError) return undefined;
    throw error;
  });
}
