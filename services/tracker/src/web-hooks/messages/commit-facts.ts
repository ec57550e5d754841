import {
  type CommitFacts,
  describeCommits,
  findCommit,
} from '@forgelog/contracts/repo/commits/commit.operations.ts';
import type { DirectoryProject } from '@forgelog/directory/collections.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { HookFacts } from './hook-facts.ts';

/** A commit that a message is about; null for one that is no longer there. */
export async function commitOf(
  { operations }: ServicePorts,
  projectId: number,
  sha: string,
): Promise<CommitFacts | null> {
  const { commits } = await operations.call(describeCommits, { projectId, shas: [sha] }, { principal: null });
  return commits[0] ?? null;
}

/** The commit that a name means; null for none. */
export async function commitNamed(
  ports: ServicePorts,
  projectId: number,
  name: string,
): Promise<CommitFacts | null> {
  const asked = { projectId, name, withBranch: false };
  const { sha } = await ports.operations.call(findCommit, asked, { principal: null });
  return sha === null ? null : commitOf(ports, projectId, sha);
}

export function shownCommit(facts: HookFacts, project: DirectoryProject, commit: CommitFacts) {
  const { id, message, title, author, committer } = commit;
  return {
    id,
    message,
    title,
    timestamp: committer.date,
    url: `${facts.webUrl(project)}/-/commit/${id}`,
    author: { name: author.name, email: author.email },
  };
}
