import { type CommitFacts, describeCommits } from '@forgelog/contracts/repo/commits/commit.operations.ts';
import { createLru } from '@forgelog/eventing/lru.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Operations } from '@forgelog/service-kit/operations.ts';

/** Commits as pipelines and jobs show them. */
export interface Commits {
  /** Commits of a project by id, without those that it lacks. None for a caller who may not read the repository. */
  of(project: ProjectGrant, shas: readonly string[]): Promise<ReadonlyMap<string, CommitFacts>>;
}

const REMEMBERED = 10_000;

/** A commit never changes, so one that was read once is kept. */
export function createCommits(operations: Operations): Commits {
  const known = createLru<string, CommitFacts>(REMEMBERED);
  const keyOf = (projectId: number, sha: string) => `${projectId} ${sha}`;

  return {
    async of({ project: { id }, can }, shas) {
      if (!can('repository')) return new Map();
      const wanted = [...new Set(shas)];
      const found = new Map<string, CommitFacts>();
      const missing = wanted.filter((sha) => {
        const commit = known.get(keyOf(id, sha));
        if (commit) found.set(sha, commit);
        return !commit;
      });
      if (missing.length === 0) return found;
      const request = { projectId: id, shas: missing };
      const { commits } = await operations.call(describeCommits, request, { principal: null });
      for (const commit of commits) {
        if (!commit) continue;
        known.set(keyOf(id, commit.id), commit);
        found.set(commit.id, commit);
      }
      return found;
    },
  };
}
