import { blameRangeView, writtenFileView } from '@forgelog/contracts/repo/files/file.api.ts';
import type { BlameRange } from '@forgelog/git/history/blame.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { given } from '@forgelog/service-kit/view-parts.ts';

/** Blame range [L48]; times in UTC. */
export const blameRangeJson = implementView(blameRangeView).from<BlameRange>({
  commit: {
    id: given(({ commit }: BlameRange) => commit.id),
    parent_ids: given(({ commit }: BlameRange) => [...commit.parentIds]),
    message: given(({ commit }: BlameRange) => commit.message),
    authored_date: given(({ commit }: BlameRange) => commit.author.date.utc),
    author_name: given(({ commit }: BlameRange) => commit.author.name),
    author_email: given(({ commit }: BlameRange) => commit.author.email),
    committed_date: given(({ commit }: BlameRange) => commit.committer.date.utc),
    committer_name: given(({ commit }: BlameRange) => commit.committer.name),
    committer_email: given(({ commit }: BlameRange) => commit.committer.email),
  },
  lines: 'lines',
});

export const writtenFileJson = implementView(writtenFileView).from<{ path: string; branch: string }>({
  file_path: 'path',
  branch: 'branch',
});
