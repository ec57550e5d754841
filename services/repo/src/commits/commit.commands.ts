import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { CommitActionError } from '@forgelog/git/errors.ts';
import type { Repository } from '@forgelog/git/git.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { branchNameProblem, isLikeObjectId } from '@forgelog/git/refs/ref-name.ts';
import type { BuiltCommit } from '@forgelog/git/trees/commit-builder.ts';
import type { FileAction } from '@forgelog/git/trees/tree-editor.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { RepoPorts } from '../ports.ts';
import type { RefMoveKind } from '../refs/ref-protection.rules.ts';
import { requirePush } from '../refs/require-push.ts';
import { moveRef } from '../shared/move-ref.commands.ts';
import { serializedPerRef } from '../shared/ref-queue.ts';

export interface CommitWriting {
  grant: ProjectGrant;
  caller: Principal;
  metadata: EventMetadata;
  branch: string;
  /** The start of a new `branch`: a branch name or a commit. */
  startBranch?: string | undefined;
  startSha?: string | undefined;
  /** Moves `branch` to the start even if it exists. */
  force?: boolean;
  message: string;
  authorName?: string | undefined;
  authorEmail?: string | undefined;
  actions: readonly FileAction[];
  /** Maps a path to the last commit that its writer knows of. */
  lastKnown?: ReadonlyMap<string, string>;
  /** The refusal of a commit that changes nothing [L204]; without it there is one. */
  refuseUnchanged?: string;
}

/** The text of every refusal without a stated reason [L204]. */
export const COMMIT_FAILED = 'The commit could not be created. Please refresh and try again.';
const NO_BRANCH = 'You can only create or edit files when you are on a branch';
const CHANGED_MEANWHILE =
  'You are attempting to update a file that has changed since you started editing it.';

const refused = (message: string) => new Rejection('refused', { message });

/**
 * Writes the objects, then moves the branch, which makes the commit visible. Returns its id.
 * @throws 400 with the texts that clients know, 403 if the caller may not push to the branch
 */
export function writeCommit(ports: RepoPorts, writing: CommitWriting): Promise<string> {
  const { branch, grant } = writing;
  const problem = branchNameProblem(branch);
  if (problem) throw refused(isLikeObjectId(branch) ? problem : NO_BRANCH);
  return serializedPerRef(grant.project.id, `refs/heads/${branch}`, () => write(ports, writing));
}

async function write(ports: RepoPorts, writing: CommitWriting): Promise<string> {
  const { grant, branch, lastKnown } = writing;
  const { id } = grant.project;
  const ref = `refs/heads/${branch}`;
  const repository = ports.repositories.of(id);
  const tip = await repository.readRef(ref);
  const base = await baseOf(repository, writing, tip);
  const kind = await kindOf(repository, tip, base);
  const requireAllowed = async () => requirePush(await ports.refAccess(grant), ref, kind);
  await requireAllowed();
  for (const [path, known] of lastKnown ?? []) {
    const last = base && (await repository.lastCommitOf(base, path));
    if (last !== undefined && last !== known) throw refused(CHANGED_MEANWHILE);
  }
  const commit = await build(ports, repository, writing, base);
  if (writing.refuseUnchanged && !commit.changed) throw refused(writing.refuseUnchanged);
  // Large commits take their time, and the branch may be protected meanwhile.
  await requireAllowed();
  const update = { ref, oldOid: tip ?? ZERO_OID, newOid: commit.oid };
  await moveRef(ports, id, update, writing.metadata, { moved: COMMIT_FAILED, inTheWay: COMMIT_FAILED });
  return commit.oid;
}

async function kindOf(
  repository: Repository,
  tip: string | undefined,
  base: string | undefined,
): Promise<RefMoveKind> {
  if (tip === undefined) return 'create';
  return base !== undefined && (await repository.isAncestor(tip, base)) ? 'update' : 'force';
}

/** The parent commit; undefined for the first one of a repository. */
async function baseOf(
  repository: Repository,
  { branch, startBranch, startSha, force }: CommitWriting,
  tip: string | undefined,
): Promise<string | undefined> {
  const hasStart = startSha !== undefined || (startBranch !== undefined && startBranch !== branch);
  if (tip !== undefined && !hasStart) return tip;
  if (tip !== undefined && !force) {
    throw refused(
      `A branch called '${branch}' already exists. Switch to that branch in order to make changes`,
    );
  }
  if (hasStart) {
    const start = startSha ?? `refs/heads/${startBranch}`;
    const found = await repository.resolveRevision(start);
    if (found) return found.oid;
    // The first commit of a repository may name any start.
    if (startSha !== undefined || !(await isEmpty(repository))) throw refused(NO_BRANCH);
    return undefined;
  }
  if (await isEmpty(repository)) return undefined;
  throw refused(NO_BRANCH);
}

async function isEmpty(repository: Repository): Promise<boolean> {
  return (await repository.listRefs('refs/heads/')).length === 0;
}

async function build(
  { clock }: RepoPorts,
  repository: Repository,
  writing: CommitWriting,
  base: string | undefined,
): Promise<BuiltCommit> {
  const { caller, authorName, authorEmail, actions, message } = writing;
  const date = clock();
  try {
    return await repository.buildCommit({
      parents: base === undefined ? [] : [base],
      actions: [...actions],
      author: { name: authorName || caller.name, email: authorEmail || caller.email, date },
      committer: { name: caller.name, email: caller.email, date },
      message,
    });
  } catch (error) {
    if (error instanceof CommitActionError) throw refused(problemText(error, actions));
    throw error;
  }
}

function problemText({ problem, path }: CommitActionError, actions: readonly FileAction[]): string {
  if (actions.some(({ action }) => action === 'submodule')) return 'Invalid submodule path';
  switch (problem) {
    case 'exists':
    case 'path_conflict':
      return 'A file with this name already exists';
    case 'missing':
      return "A file with this name doesn't exist";
    case 'is_directory': {
      const adds = actions.some(
        (one) => one.path === path && (one.action === 'create' || one.action === 'move'),
      );
      return adds ? 'A directory with this name already exists' : "A file with this name doesn't exist";
    }
    case 'invalid_path':
      return COMMIT_FAILED;
    default:
      return problem satisfies never;
  }
}
