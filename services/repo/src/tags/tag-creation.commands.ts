import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import { tagNameProblem } from '@forgelog/git/refs/ref-name.ts';
import type { ProjectGrant, ProjectSummary } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { RepoPorts } from '../ports.ts';
import { defaultBranchProblem } from '../refs/default-branch.rules.ts';
import { moveRef } from '../shared/move-ref.commands.ts';
import { findRevision } from '../shared/revisions.ts';

export const TAGS = 'refs/tags/';
export const TAG_IN_THE_WAY = 'Another tag is in the way of this name';
const refused = (message: string) => new Rejection('refused', { message });

interface NewTag {
  name: string;
  /** Branch, tag or commit to tag. */
  target: string;
  /** Makes the tag an annotated one. */
  message: string | undefined;
}

/** @throws 400 for a name that no tag can have, 403 where the caller may not create it */
export async function requireTaggable(
  { refAccess }: Pick<RepoPorts, 'refAccess'>,
  grant: ProjectGrant,
  name: string,
): Promise<void> {
  const problem = tagNameProblem(name) ?? defaultBranchProblem(grant.project, TAGS + name);
  if (problem) throw refused(problem);
  if (!(await refAccess(grant)).mayMove(TAGS + name, 'create')) throw new Rejection('forbidden', {});
}

/** Tags a revision, lightly without a message. Call it in the queue of the ref. @throws 400 */
export async function makeTag(
  ports: Pick<RepoPorts, 'repositories' | 'clock'>,
  project: ProjectSummary,
  { name, target, message }: NewTag,
  { caller, metadata }: { caller: Principal; metadata: EventMetadata },
): Promise<void> {
  const repository = ports.repositories.of(project.id);
  const ref = TAGS + name;
  const exists = `Tag ${name} already exists`;
  if ((await repository.readRef(ref)) !== undefined) throw refused(exists);
  const revision = await findRevision(repository, project, target);
  if (!revision) throw refused(`Target ${target} is invalid`);
  const tagger = { name: caller.name, email: caller.email, date: ports.clock() };
  const newOid = message
    ? await repository.buildTag({ name, targetOid: revision.oid, tagger, message })
    : revision.oid;
  const refusals = { moved: exists, inTheWay: TAG_IN_THE_WAY };
  await moveRef(ports, project.id, { ref, oldOid: ZERO_OID, newOid }, metadata, refusals);
}
