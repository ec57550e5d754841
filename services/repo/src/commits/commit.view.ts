import type { PipelineFacts } from '@forgelog/contracts/ci/pipelines/pipeline.operations.ts';
import { listedPipelineView } from '@forgelog/contracts/ci/pipelines/pipeline.views.ts';
import {
  commitRefView,
  commitView,
  detailedCommitView,
  diffView,
  listedCommitView,
  shortCommitView,
  singleCommitView,
} from '@forgelog/contracts/repo/commits/commit.api.ts';
import type { DiffEntry } from '@forgelog/git/history/diff.ts';
import type { DiffStats } from '@forgelog/git/history/diff-stats.ts';
import type { Commit } from '@forgelog/git/objects/commit-object.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { ifGiven } from '@forgelog/service-kit/view-optional.ts';
import { derived, given, host, nested, text } from '@forgelog/service-kit/view-parts.ts';
import { projectPath } from '@forgelog/service-kit/view-placeholders.ts';

export interface ShownCommit extends Commit {
  projectId: number;
  stats?: DiffStats | undefined;
  showTrailers?: boolean;
  pipeline?: PipelineFacts | null;
}

/** Commit, short form [L51]; times in UTC. */
export const shortCommitJson = implementView(shortCommitView).from<Commit>({
  id: 'id',
  short_id: derived(['id'], (id: string) => id.slice(0, 8)),
  created_at: given(({ committer }: Commit) => committer.date.utc),
  title: 'title',
  author_name: given(({ author }: Commit) => author.name),
  author_email: given(({ author }: Commit) => author.email),
});

/** Commit, form of merge bases and releases [L51]. */
export const detailedCommitJson = implementView(detailedCommitView).from<Commit>({
  ...shortCommitJson.members,
  parent_ids: 'parentIds',
  message: 'message',
  authored_date: given(({ author }: Commit) => author.date.utc),
  committer_name: given(({ committer }: Commit) => committer.name),
  committer_email: given(({ committer }: Commit) => committer.email),
  committed_date: given(({ committer }: Commit) => committer.date.utc),
});

/** Commit, full form (companions 3). */
export const commitJson = implementView(commitView).from<ShownCommit>({
  ...detailedCommitJson.members,
  web_url: text`${host}/${projectPath('projectId')}/-/commit/${'id'}`,
});

const stats = ifGiven(({ stats }: ShownCommit) => stats);

/** Commit in a list, with the statistics and trailers that the caller asked for. */
export const listedCommitJson = implementView(listedCommitView).from<ShownCommit>({
  ...commitJson.members,
  stats,
  trailers: ifGiven(({ showTrailers, trailers }: ShownCommit) =>
    showTrailers ? byName(trailers) : undefined,
  ),
});

const pipelineJson = implementView(listedPipelineView).from<PipelineFacts>({
  id: 'id',
  iid: 'iid',
  project_id: 'projectId',
  status: 'status',
  ref: 'ref',
  sha: 'sha',
  web_url: text`${host}/${projectPath('projectId')}/-/pipelines/${'id'}`,
  created_at: 'createdAt',
  updated_at: 'updatedAt',
});

export const singleCommitJson = implementView(singleCommitView).from<ShownCommit>({
  ...commitJson.members,
  stats,
  status: given(({ pipeline }: ShownCommit) => pipeline?.status ?? null),
  project_id: 'projectId',
  last_pipeline: nested(pipelineJson, ({ pipeline }: ShownCommit) => pipeline ?? null),
});

export const diffJson = implementView(diffView).from<DiffEntry>({
  old_path: 'oldPath',
  new_path: 'newPath',
  a_mode: 'aMode',
  b_mode: 'bMode',
  diff: 'diff',
  new_file: 'newFile',
  renamed_file: 'renamedFile',
  deleted_file: 'deletedFile',
});

/** A branch or a tag that holds a commit. */
export interface CommitRef {
  type: 'branch' | 'tag';
  name: string;
}

export const commitRefJson = implementView(commitRefView).from<CommitRef>({ type: 'type', name: 'name' });

/** The last one wins if several have one name. */
function byName(trailers: Commit['trailers']): Record<string, string> {
  return Object.fromEntries(trailers.map(({ key, value }) => [key, value]));
}
