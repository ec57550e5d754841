import { commitView } from '@forgelog/contracts/repo/commits/commit.api.ts';
import type { CommitFacts } from '@forgelog/contracts/repo/commits/commit.operations.ts';
import { implementView } from './view.ts';
import { derived, given, host, text } from './view-parts.ts';
import { projectPath } from './view-placeholders.ts';

export type ShownCommit = CommitFacts & { projectId: number };

/** Commit, full form (companions 3). */
export const commitJson = implementView(commitView).from<ShownCommit>({
  id: 'id',
  short_id: derived(['id'], (id: string) => id.slice(0, 8)),
  created_at: given(({ committer }: ShownCommit) => committer.date),
  parent_ids: 'parentIds',
  title: 'title',
  message: 'message',
  author_name: given(({ author }: ShownCommit) => author.name),
  author_email: given(({ author }: ShownCommit) => author.email),
  authored_date: given(({ author }: ShownCommit) => author.date),
  committer_name: given(({ committer }: ShownCommit) => committer.name),
  committer_email: given(({ committer }: ShownCommit) => committer.email),
  committed_date: given(({ committer }: ShownCommit) => committer.date),
  web_url: text`${host}/${projectPath('projectId')}/-/commit/${'id'}`,
});
