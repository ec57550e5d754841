import { comparisonView } from '@forgelog/contracts/repo/repositories/repository.api.ts';
import type { DiffEntry } from '@forgelog/git/history/diff.ts';
import type { Commit } from '@forgelog/git/objects/commit-object.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { nested, nestedList } from '@forgelog/service-kit/view-parts.ts';
import { diffJson, shortCommitJson } from '../commits/commit.view.ts';

interface Comparison {
  /** Oldest first. */
  commits: readonly Commit[];
  diffs: readonly DiffEntry[];
  timedOut: boolean;
  isSame: boolean;
}

export const comparisonJson = implementView(comparisonView).from<Comparison>({
  commit: nested(shortCommitJson, ({ commits }: Comparison) => commits.at(-1)),
  commits: nestedList(shortCommitJson, ({ commits }: Comparison) => commits),
  diffs: nestedList(diffJson, ({ diffs }: Comparison) => diffs),
  compare_timeout: 'timedOut',
  compare_same_ref: 'isSame',
});
