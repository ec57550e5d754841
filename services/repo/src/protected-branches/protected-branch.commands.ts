import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { RepoPorts } from '../ports.ts';
import { admittedCaller } from '../refs/admission.rules.ts';
import {
  type BranchChanges,
  type BranchRules,
  protectedBranchDecider,
  protectedBranchesStream,
} from './protected-branch.decider.ts';
import { type ProtectedBranchRow, protectedBranches } from './protected-branches.projection.ts';

export interface ProtectedBranchCommands {
  find(projectId: number, name: string): Promise<ProtectedBranchRow | undefined>;
  /** @throws 409 for a name that is protected already, 422 for one that no branch can have */
  protect(branch: { projectId: number; name: string } & BranchRules, metadata: EventMetadata): Promise<void>;
  /** @throws 403 if the caller may not unprotect it either, 404 */
  change(grant: ProjectGrant, name: string, changes: BranchChanges, metadata: EventMetadata): Promise<void>;
  /** @throws 403, 404 */
  unprotect(grant: ProjectGrant, name: string, metadata: EventMetadata): Promise<void>;
}

export function protectedBranchCommands({
  commands,
  ids,
  readStore,
  directory,
}: Pick<RepoPorts, 'commands' | 'ids' | 'readStore' | 'directory'>): ProtectedBranchCommands {
  async function find(projectId: number, name: string) {
    const where = and(eq('projectId', projectId), eq('name', name));
    const [row] = await readStore.find(protectedBranches, { where, limit: 1 });
    return row as ProtectedBranchRow | undefined;
  }

  async function callerOf(grant: ProjectGrant, name: string) {
    const row = await find(grant.project.id, name);
    const groupIds = (row?.unprotectAccess ?? []).flatMap(({ groupId }) => groupId ?? []);
    return admittedCaller(grant, groupIds, directory);
  }

  return {
    find,
    async protect(branch, metadata) {
      const { projectId } = branch;
      const stream = protectedBranchesStream(projectId);
      const commandFor = (protectedBranchId: number) =>
        ({ type: 'ProtectBranch', protectedBranchId, ...branch }) as const;
      // Validate before reserving an id.
      const { state } = await commands.load(protectedBranchDecider, stream);
      protectedBranchDecider.decide(commandFor(0), state);
      const command = commandFor(await ids.next('protectedBranch'));
      await commands.handle(protectedBranchDecider, stream, command, metadata);
    },
    async change(grant, name, changes, metadata) {
      const caller = await callerOf(grant, name);
      const projectId = grant.project.id;
      const command = { type: 'ChangeProtectedBranch', projectId, name, caller, changes } as const;
      await commands.handle(protectedBranchDecider, protectedBranchesStream(projectId), command, metadata);
    },
    async unprotect(grant, name, metadata) {
      const caller = await callerOf(grant, name);
      const projectId = grant.project.id;
      const command = { type: 'UnprotectBranch', projectId, name, caller } as const;
      await commands.handle(protectedBranchDecider, protectedBranchesStream(projectId), command, metadata);
    },
  };
}
