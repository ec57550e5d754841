import type { AnswerOf, RequestOf } from '@forgelog/contracts/operation.ts';
import type { commitLines } from '@forgelog/contracts/repo/diff-lines/suggested-line.operations.ts';
import { ObjectTooLargeError, RefMovedError } from '@forgelog/git/errors.ts';
import type { Repository } from '@forgelog/git/git.ts';
import type { FileAction } from '@forgelog/git/trees/tree-editor.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { WriteAsking } from '@forgelog/service-kit/operations.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { branchTip } from '../merges/branch-tip.query.ts';
import type { RepoPorts } from '../ports.ts';
import { OperationDoneError } from '../repository-storage/repositories.ts';
import { isAgainstRules } from '../shared/move-ref.commands.ts';
import { serializedPerRef } from '../shared/ref-queue.ts';
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
  const { request, operationId, metadata, grant } = committing;
  const { projectId, branch, sha, suggestionIds } = request;
  const { repositories } = ports;
  const ref = `refs/heads/${branch}`;
  const doneBefore = async () => {
    const done = await repositories.movedBy(projectId, operationId);
    if (done) await repositories.idle(projectId);
    return done && { sha: done.newOid };
  };
  return serializedPerRef(projectId, ref, async () => {
    const done = await doneBefore();
    if (done) return done;
    const access = await ports.refAccess(grant);
    if (!access.mayMove(ref, 'update')) return { refused: 'forbidden' };
    const tip = await branchTip(ports, projectId, branch);
    if (tip !== sha) return { refused: tip === undefined ? 'no branch' : 'branch moved' };
    const built = await build(ports, committing);
    if ('refused' in built) return built;
    const update = { ref, oldOid: sha, newOid: built.sha };
    try {
      await repositories.moveRefs(projectId, [update], metadata, 'api', { operationId, suggestionIds });
    } catch (error) {
      if (isAgainstRules(error)) return { refused: 'rule', message: error.body.message };
      if (error instanceof RefMovedError) return { refused: 'branch moved' };
      if (error instanceof OperationDoneError) return (await doneBefore())!;
      throw error;
    }
    return built;
  });
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
