import { Rejection } from '@forgelog/contracts/errors.ts';
import type { CommitFacts } from '@forgelog/contracts/repo/commits/commit.operations.ts';
import {
  listMergeCommits,
  MERGE_BOUNDS,
  readMergeDiff,
} from '@forgelog/contracts/repo/merges/merge.operations.ts';
import {
  getMergeRequestChanges,
  getMergeRequestVersion,
  listMergeRequestCommits,
  listMergeRequestDiffs,
  listMergeRequestParticipants,
  listMergeRequestReviewers,
  listMergeRequestVersions,
} from '@forgelog/contracts/tracker/merge-requests/merge-request-content.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { desc, eq } from '@forgelog/eventing/query.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { commitJson } from '@forgelog/service-kit/commit.view.ts';
import { pageOf, pageOfArray, pageOfSnapshot } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { readableCommenters } from '../discussions/note.access.ts';
import { shownLabels } from '../labels/shown-labels.ts';
import { participants } from '../targets/participants.ts';
import { requireMergeRequest } from './merge-request.access.ts';
import { foundMergeRequest } from './merge-request.target.ts';
import {
  diffJson,
  mergeRequestChangesJson,
  reviewerJson,
  type ShownVersion,
  singleVersionJson,
  versionJson,
} from './merge-request-content.view.ts';
import { type MergeRequest, mergeRequestVersions, versionKey } from './merge-requests.collection.ts';
import { mergeabilityFor } from './mergeability.ts';
import { shownMergeRequests } from './shown-merge-requests.ts';

/** Commits of one version that an answer shows. */
const MOST_COMMITS = 1_000;

interface Range {
  projectId: number;
  startSha: string;
  headSha: string;
}

/** What is in a merge request, as git tells it. */
export function mergeRequestContentRoutes(ports: ServicePorts): Implementation[] {
  const { readStore, operations } = ports;
  const shown = shownMergeRequests(ports, mergeabilityFor(ports));
  const views = {
    reviewer: reviewerJson.renderer(ports),
    changes: mergeRequestChangesJson.renderer(ports),
    commit: commitJson.renderer(ports),
    diff: diffJson.renderer(ports),
    version: versionJson.renderer(ports),
    singleVersion: singleVersionJson.renderer(ports),
  };

  const find = ({ project, params }: ApiRequest) =>
    requireMergeRequest(readStore, project, params.merge_request_iid as number);
  const rangeOf = ({ projectId, startSha, sha: headSha }: MergeRequest): Range => ({
    ...{ projectId, startSha, headSha },
  });

  async function commitsOf(range: Range, offset: number, limit: number, principal: Principal) {
    const answer = await operations.call(listMergeCommits, { ...range, offset, limit }, { principal });
    return 'refused' in answer ? { commits: [], hasMore: false } : answer;
  }

  /** A request whose commits are gone changes nothing. */
  async function diffOf(range: Range, unlimited: boolean, principal: Principal) {
    const answer = await operations.call(readMergeDiff, { ...range, unlimited }, { principal });
    return 'refused' in answer ? { files: [], overflow: false } : answer;
  }

  async function allCommitsOf(range: Range, principal: Principal): Promise<CommitFacts[]> {
    const all: CommitFacts[] = [];
    while (all.length < MOST_COMMITS) {
      const { commits, hasMore } = await commitsOf(range, all.length, MERGE_BOUNDS.commits, principal);
      all.push(...commits);
      if (!hasMore) break;
    }
    return all;
  }

  async function shownVersion(
    { id: mergeRequestId, projectId, targetBranch }: MergeRequest,
    {
      number,
      headSha,
      startSha,
      createdAt,
    }: Omit<ShownVersion, 'mergeRequestId' | 'baseSha' | 'changesCount'>,
    principal: Principal,
  ): Promise<ShownVersion> {
    const { baseSha, changesCount } = await shown.detailOf(
      { projectId, sha: headSha, startSha, targetBranch },
      principal,
    );
    return { number, headSha, startSha, createdAt, mergeRequestId, baseSha, changesCount };
  }

  return [
    implement(listMergeRequestVersions, async (request) => {
      const { page, caller } = request;
      const row = await find(request);
      const { documents, next } = await pageOf(readStore, mergeRequestVersions, {
        where: eq('place', row.place),
        sort: [desc('number')],
        page,
      });
      const versions = await Promise.all(documents.map((version) => shownVersion(row, version, caller)));
      return { kind: 'list', items: views.version.list(versions), next };
    }),

    implement(getMergeRequestVersion, async (request) => {
      const { caller, params } = request;
      const row = await find(request);
      const version = await readStore.get(mergeRequestVersions, versionKey(row.place, params.version_id));
      if (!version) throw new Rejection('record_not_found');
      const { projectId } = row;
      const range = { projectId, startSha: version.startSha, headSha: version.headSha };
      const [detail, commits, { files }] = await Promise.all([
        shownVersion(row, version, caller),
        allCommitsOf(range, caller),
        diffOf(range, false, caller),
      ]);
      return json(views.singleVersion.one({ ...detail, projectId, commits, files }));
    }),

    implement(listMergeRequestCommits, async (request) => {
      const { page, caller } = request;
      const row = await find(request);
      const { projectId, place } = row;
      const { items, next } = await pageOfSnapshot(page, {
        name: ['commits', place],
        current: async () => `${row.startSha} ${row.sha}`,
        isThere: async () => true,
        async read(made, offset) {
          const [startSha, headSha] = made.split(' ') as [string, string];
          const range = { projectId, startSha, headSha };
          const { commits, hasMore } = await commitsOf(range, offset, page.size, caller);
          return { items: commits, total: null, more: hasMore };
        },
      });
      const commits = items.map((commit) => ({ ...commit, projectId }));
      return { kind: 'list', items: views.commit.list(commits), next };
    }),

    implement(getMergeRequestChanges, async (request) => {
      const { caller, params } = request;
      const row = await find(request);
      const single = await shown.singleRow(row, caller);
      const { files, overflow } = await diffOf(rangeOf(row), params.access_raw_diffs, caller);
      const asked = { across: false, ...(await shownLabels(readStore, [row])) };
      return json(views.changes.one({ ...single, files, overflow }, asked));
    }),

    implement(listMergeRequestDiffs, async (request) => {
      const { page, caller } = request;
      const row = await find(request);
      const { projectId, place } = row;
      const { items, next } = await pageOfSnapshot(page, {
        name: ['diffs', place],
        current: async () => `${row.startSha} ${row.sha}`,
        isThere: async () => true,
        async read(made, offset) {
          const [startSha, headSha] = made.split(' ') as [string, string];
          const { files } = await diffOf({ projectId, startSha, headSha }, false, caller);
          const end = offset + page.size;
          return { items: files.slice(offset, end), total: files.length, more: files.length > end };
        },
      });
      return { kind: 'list', items: views.diff.list(items), next };
    }),

    implement(listMergeRequestReviewers, async (request) => {
      const { reviewerIds, reviewersSince, reviewedByIds } = await find(request);
      const reviewers = reviewerIds.map((userId, at) => ({
        userId,
        state: reviewedByIds.includes(userId) ? ('reviewed' as const) : ('unreviewed' as const),
        since: reviewersSince[at]!,
      }));
      const byId = [{ of: ({ userId }: (typeof reviewers)[number]) => userId, direction: 'asc' as const }];
      const sorted = reviewers.sort((a, b) => a.userId - b.userId);
      const { items, next } = pageOfArray(sorted, request.page, 'reviewers', byId);
      return { kind: 'list', items: views.reviewer.list(items), next };
    }),

    implement(listMergeRequestParticipants, async (request) => {
      const row = await find(request);
      const target = foundMergeRequest(row, request.project);
      const commenters = await readableCommenters(readStore, target, row, request.principal);
      return participants(
        [row.authorId, ...row.assigneeIds, ...row.reviewerIds, ...commenters],
        request.page,
      );
    }),
  ];
}
