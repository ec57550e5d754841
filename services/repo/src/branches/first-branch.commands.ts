import type { createBranch } from '@forgelog/contracts/repo/branches/branch.api.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { RepoPorts } from '../ports.ts';
import { FIRST_BRANCH } from '../projects/project-creation.commands.ts';
import { moveRef } from '../shared/move-ref.commands.ts';
import { serializedPerRef } from '../shared/ref-queue.ts';

/**
 * The first branch of an empty project: an initial commit with an empty README starts the default branch, and the
 * wanted one with it. Both or none. Gives the commit; undefined where the project is not empty, or where `ref` names
 * another start than the default branch.
 * @throws 400 where the branch's name is in the way of the default one
 */
export async function createFirstBranch(
  ports: RepoPorts,
  { params, project: grant, caller, metadata }: ApiRequest<typeof createBranch>,
  refusals: { moved: string; inTheWay: string },
): Promise<string | undefined> {
  const { project } = grant;
  const repository = ports.repositories.of(project.id);
  const isEmpty = async () => (await repository.listRefs('refs/heads/')).length === 0;
  const main = `refs/heads/${(await repository.defaultBranch()) ?? FIRST_BRANCH}`;
  const wanted = `refs/heads/${params.branch}`;
  const namesMain = [main, main.slice('refs/heads/'.length), 'HEAD'].includes(params.ref);
  if (!namesMain || !(await isEmpty())) return undefined;
  const access = await ports.refAccess(grant);
  if (!access.mayMove(main, 'create')) return undefined;

  const begin = async () => {
    // Somebody else may have begun it while this one waited.
    if (!(await isEmpty())) return undefined;
    const author = { name: caller.name, email: caller.email, date: ports.clock() };
    const { oid } = await repository.buildCommit({
      parents: [],
      actions: [{ action: 'create', path: 'README.md', content: Buffer.alloc(0) }],
      author,
      message: 'Add README.md',
    });
    const refs = [...new Set([main, wanted])];
    const updates = refs.map((ref) => ({ ref, oldOid: ZERO_OID, newOid: oid }));
    await moveRef(ports, project.id, updates, metadata, refusals);
    return oid;
  };
  return wanted === main ? begin() : serializedPerRef(project.id, main, begin);
}
