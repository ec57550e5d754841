import type { AnswerOf, RequestOf } from '@forgelog/contracts/operation.ts';
import type { commitLines } from '@forgelog/contracts/repo/diff-lines/suggested-line.operations.ts';
import { ObjectTooLargeError } from '@forgelog/git/errors.ts';
import type { Repository } from '@forgelog/git/git.ts';
import type { FileAction } from '@forgelog/git/trees/tree-editor.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { WriteAsking } from '@forgelog/service-kit/operations.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { RepoPorts } from '../ports.ts';
import { moveBranchOnce } from '../shared/move-branch-once.commands.ts';
import { withEdits } from './file-lines.ts';

/** The largest file whose lines are read, in bytes. */
export const LARGEST_FILE = 10 * 1024 * 1024;
const REGULAR = /^100/;

interface Committing extends WriteAsking {
  request: RequestOf<typeof commitLines>;
  caller: Principal;
  grant: ProjectGrant;
  repository: Repository;
}

/** Commits edits of lines. The event of the branch's move names the suggestions; a repeated call answers from it. */
export function commitSuggested(
  ports: RepoPorts,
  committing: Committing,
): Promise<AnswerOf<typeof commitLines>> {
  const more = { suggestionIds: committing.request.suggestionIds };
  return moveBranchOnce(ports, { ...committing, right: 'update', more }, () => build(ports, committing));
}

async function build(
  { clock }: RepoPorts,
  { request: { sha, message, edits }, caller, repository }: Committing,
) {
  const actions: FileAction[] = [];
  for (const [path, ofFile] of Map.groupBy(edits, ({ path }) => path)) {
    const file = await regularFile(repository, sha, path);
    const content = file && withEdits(file.content, ofFile);
    if (!content) return { refused: 'no line' as const };
    actions.push({ action: 'update', path, content });
  }
  const person = { name: caller.name, email: caller.email, date: clock() };
  const who = { author: person, committer: person };
  const commit = await repository.buildCommit({ parents: [sha], actions, message, ...who });
  return commit.changed ? { sha: commit.oid } : { refused: 'no change' as const };
}

/** A file whose lines can be edited; undefined for a link, a submodule, a folder, and what is too large. */
export async function regularFile(repository: Pick<Repository, 'file'>, sha: string, path: string) {
  try {
    const file = await repository.file(sha, path, LARGEST_FILE);
    return file && REGULAR.test(file.mode) ? file : undefined;
  } catch (error) {
    if (error instanceof ObjectTooLargeError) return undefined;
    throw error;
  }
}
