import { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import { projectDecider, projectStream } from '../projects/project.decider.ts';
import type { Storages } from '../projects/storages.ts';
import type { MovedListener, Repositories } from './repositories.ts';

const BRANCHES = 'refs/heads/';

/**
 * Makes the first branch of a repository the default one: HEAD's if it exists, else the first pushed. A push does this
 * before its answer; the policy covers pushes that crashed. A project whose README was never committed names a missing
 * branch, which counts as none.
 */
export function defaultBranches(
  ports: Pick<ServicePorts, 'commands' | 'directory'> & { repositories: Repositories; storages: Storages },
): {
  chooseFirst: MovedListener;
  policy: Policy;
} {
  const { commands, directory, repositories, storages } = ports;

  /** A no-op for a project that was deleted meanwhile. */
  async function chooseFirst(
    projectId: number,
    updates: readonly RefUpdate[],
    metadataAfter: (ref: string) => EventMetadata,
  ): Promise<void> {
    try {
      await choose(projectId, updates, metadataAfter);
    } catch (error) {
      if (!(await repositories.isDeleted(projectId))) throw error;
    }
  }

  async function choose(
    projectId: number,
    updates: readonly RefUpdate[],
    metadataAfter: (ref: string) => EventMetadata,
  ): Promise<void> {
    const first = updates.find(({ ref, newOid }) => ref.startsWith(BRANCHES) && newOid !== ZERO_OID);
    if (!first) return;
    const project = await directory.project(projectId);
    if (!project || project.storage !== storages.own) return;
    const repository = repositories.of(projectId);
    const { defaultBranch: missing } = project;
    if (missing !== null && (first.oldOid !== ZERO_OID || (await repository.readRef(BRANCHES + missing))))
      return;
    const head = await repository.defaultBranch();
    const isThere = head !== undefined && (await repository.readRef(BRANCHES + head)) !== undefined;
    const branch = isThere ? head : first.ref.slice(BRANCHES.length);
    const command = { type: 'ChooseDefaultBranch' as const, projectId, branch, missing };
    const metadata = metadataAfter(first.ref);
    const { state } = await commands.handle(projectDecider, projectStream(projectId), command, metadata);
    if (state.status === 'present' && state.defaultBranch !== null && state.defaultBranch !== head)
      await repository.setHead(state.defaultBranch);
  }

  return {
    chooseFirst,
    policy: definePolicy({
      name: 'default-branch-of-first-push',
      handles: [RefUpdated],
      actsAs: 'system',
      async react(event, { metadata }) {
        const { projectId, ref, oldOid, newOid, via } = event.data;
        // A fork has its origin's, which may come after other refs of an interrupted fork.
        if (via === 'fork') return;
        await repositories.idle(projectId);
        await chooseFirst(projectId, [{ ref, oldOid, newOid }], () => metadata);
      },
    }),
  };
}
