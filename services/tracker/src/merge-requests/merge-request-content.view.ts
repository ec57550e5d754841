import { diffView } from '@forgelog/contracts/repo/commits/commit.api.ts';
import type { CommitFacts } from '@forgelog/contracts/repo/commits/commit.operations.ts';
import type { ChangedFile } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import {
  mergeRequestChangesView,
  reviewerView,
  singleVersionView,
  versionView,
} from '@forgelog/contracts/tracker/merge-requests/merge-request-content.api.ts';
import { commitJson } from '@forgelog/service-kit/commit.view.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { constant, given, nestedList } from '@forgelog/service-kit/view-parts.ts';
import { user } from '@forgelog/service-kit/view-placeholders.ts';
import {
  type MergeRequestRequest,
  type SingleMergeRequest,
  singleMergeRequestJson,
} from './merge-request.view.ts';

export const diffJson = implementView(diffView).from<ChangedFile>({
  old_path: 'oldPath',
  new_path: 'newPath',
  a_mode: 'aMode',
  b_mode: 'bMode',
  new_file: 'newFile',
  renamed_file: 'renamedFile',
  deleted_file: 'deletedFile',
  diff: 'diff',
});

interface ChangedMergeRequest extends SingleMergeRequest {
  files: readonly ChangedFile[];
  overflow: boolean;
}

export const mergeRequestChangesJson = implementView(mergeRequestChangesView).from<
  ChangedMergeRequest,
  MergeRequestRequest
>({
  ...singleMergeRequestJson.members,
  changes: nestedList(diffJson, ({ files }: ChangedMergeRequest) => files),
  overflow: given(({ overflow }: ChangedMergeRequest) => overflow),
});

interface Reviewer {
  userId: number;
  state: 'unreviewed' | 'reviewed';
  since: string;
}

export const reviewerJson = implementView(reviewerView).from<Reviewer>({
  user: user('userId'),
  state: given(({ state }: Reviewer) => state),
  created_at: 'since',
});

export interface ShownVersion {
  number: number;
  headSha: string;
  startSha: string;
  createdAt: string;
  mergeRequestId: number;
  baseSha: string | null;
  changesCount: string | null;
}

export const versionJson = implementView(versionView).from<ShownVersion>({
  id: 'number',
  head_commit_sha: 'headSha',
  base_commit_sha: 'baseSha',
  start_commit_sha: 'startSha',
  created_at: 'createdAt',
  merge_request_id: 'mergeRequestId',
  state: constant('collected'),
  real_size: 'changesCount',
});

interface DetailedVersion extends ShownVersion {
  projectId: number;
  commits: readonly CommitFacts[];
  files: readonly ChangedFile[];
}

export const singleVersionJson = implementView(singleVersionView).from<DetailedVersion>({
  ...versionJson.members,
  commits: nestedList(commitJson, ({ commits, projectId }: DetailedVersion) =>
    commits.map((commit) => ({ ...commit, projectId })),
  ),
  diffs: nestedList(diffJson, ({ files }: DetailedVersion) => files),
});
