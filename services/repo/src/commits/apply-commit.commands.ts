import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { RefMovedError } from '@forgelog/git/errors.ts';
import type { Repository } from '@forgelog/git/git.ts';
import type { Commit, Signature } from '@forgelog/git/objects/commit-object.ts';
import { EMPTY_TREE } from '@forgelog/git/objects/object-id.ts';
import { isValidRefName } from '@forgelog/git/refs/ref-name.ts';
import type { Person } from '@forgelog/git/trees/commit-builder.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { RepoPorts } from '../ports.ts';
import { requirePush } from '../refs/require-push.ts';
import { serializedPerRef } from '../shared/ref-queue.ts';
import { needCommit, needRevision } from '../shared/revisions.ts';

export interface CommitApplication {
  grant: ProjectGrant;
  caller: Principal;
  metadata: EventMetadata;
  /** A commit, an abbreviation of it, a branch or a tag. */
  name: string;
  branch: string;
  /** Only says whether the commit fits. */
  dryRun: boolean;
  direction: 'cherry-pick' | 'revert';
  /** Instead of the message that git would give the new commit. */
  message?: string | undefined;
}

/** How often a push may come in between before the caller has to try again. */
const ATTEMPTS = 5;

/**
 * Applies the changes of a commit to a branch, or takes them back. Returns the id of the new commit, null for a dry run.
 * A push that comes in between is kept: the commit is then applied to what it brought.
 * @throws 400 `conflict` or `empty`, 403 if the caller may not push to the branch, 404 for a missing commit or branch
 */
export async function applyCommit(ports: RepoPorts, application: CommitApplication): Promise<string | null> {
  const { grant, branch, name } = application;
  const { id } = grant.project;
  const ref = `refs/heads/${branch}`;
  requirePush(await ports.refAccess(grant), ref, 'update');
  const repository = ports.repositories.of(id);
  const commit = await needCommit(repository, await needRevision(repository, grant.project, name, 'Commit'));
  if (!isValidRefName(ref)) throw new Rejection('not_found', { what: 'Branch' });
  return serializedPerRef(id, ref, async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await applyOnce(ports, application, repository, commit, ref);
      } catch (error) {
        if (!(error instanceof RefMovedError)) throw error;
        if (attempt === ATTEMPTS)
          throw new Rejection('refused', { message: 'The branch was updated meanwhile' });
      }
    }
  });
}

async function applyOnce(
  ports: RepoPorts,
  { grant, caller, metadata, dryRun, direction, message }: CommitApplication,
  repository: Repository,
  commit: Commit,
  ref: string,
): Promise<string | null> {
  const { clock, repositories } = ports;
  const tip = await repository.readRef(ref);
  if (tip === undefined) throw new Rejection('not_found', { what: 'Branch' });
  const before = commit.parentIds[0] ?? EMPTY_TREE;
  const { treeOid, conflicts } = await repository.mergeTrees(
    direction === 'cherry-pick'
      ? { ours: tip, theirs: commit.id, base: before }
      : { ours: tip, theirs: before, base: commit.id },
  );
  const refuse = (code: 'conflict' | 'empty') =>
    new Rejection('not_applied', { message: REFUSALS[direction], code, dryRun });
  if (conflicts.length > 0) throw refuse('conflict');
  if ((await needCommit(repository, tip)).treeId === treeOid) throw refuse('empty');
  if (dryRun) return null;
  const committer = { name: caller.name, email: caller.email, date: clock() };
  const newOid = await repository.commitTree({
    treeOid,
    parents: [tip],
    author: direction === 'cherry-pick' ? personOf(commit.author) : committer,
    committer,
    message: message || messageOf(commit, direction),
  });
  // A large merge takes its time, and the branch may be protected meanwhile.
  requirePush(await ports.refAccess(grant), ref, 'update');
  await repositories.moveRefs(grant.project.id, [{ ref, oldOid: tip, newOid }], metadata, 'api');
  return newOid;
}

const refusal = (verb: string, done: string) =>
  `Sorry, we cannot ${verb} this commit automatically. This commit may already have been ${done}, ` +
  'or a more recent commit may have updated some of its content.';

const REFUSALS = {
  'cherry-pick': refusal('cherry-pick', 'cherry-picked'),
  revert: refusal('revert', 'reverted'),
};

const messageOf = ({ id, title, message }: Commit, direction: CommitApplication['direction']) =>
  direction === 'cherry-pick'
    ? `${message.trimEnd()}\n\n(cherry picked from commit ${id})`
    : `Revert "${title}"\n\nThis reverts commit ${id}`;

/** The author of an existing commit, for another one. */
export const personOf = ({ name, email, date }: Signature): Person => ({
  name,
  email,
  date: new Date(date.seconds * 1000),
  zone: /^[+-]\d{4}$/.test(date.zone) ? date.zone : '+0000',
});
