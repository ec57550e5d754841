import type { createBranch } from '@forgelog/contracts/repo/branches/branch.api.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { RepoPorts } from '../ports.ts';
import { FIRST_BRANCH } from '../projects/project-creation.commands.ts';
import { moveRef } from '../shared/move-ref.commands.ts';
import { serializedPerRef } from '../shared/ref-queue.ts';

/**
 * Creates the first branch of an empty project. A commit with an empty README starts the default branch, and the wanted
 * one atomically with it. Returns the commit; undefined if the project is not empty or `ref` is not the default branch.
 * @throws 400 if the branch's name conflicts with the default one
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
    // A concurrent request may have created it meanwhile.
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
