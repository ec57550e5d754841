import {
  CODE_OWNER_BOUNDS,
  findCodeOwners,
  type OwnedLine,
} from '@forgelog/contracts/repo/code-owners/code-owner.operations.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { createLru } from '@forgelog/eventing/lru.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { tipsOf } from '../merge-requests/branch-tips.collection.ts';
import type { MergeRequest } from '../merge-requests/merge-requests.collection.ts';
import type { NamedApprovers } from './approvers.query.ts';

type Row = Pick<MergeRequest, 'place' | 'projectId' | 'sha' | 'target'>;

const REMEMBERED = 10_000;

/** Lines of the files of code owners that own what merge requests change; null where that cannot be told. */
export function createCodeOwnerLines({
  readStore,
  operations,
}: Pick<ServicePorts, 'readStore' | 'operations'>) {
  const remembered = createLru<string, readonly OwnedLine[]>(REMEMBERED);

  /** By the key of the row. */
  return async (
    rows: readonly Row[],
    principal: Principal | null,
  ): Promise<ReadonlyMap<number, readonly OwnedLine[] | null>> => {
    const found = new Map<number, readonly OwnedLine[] | null>();
    const tips = await tipsOf(
      readStore,
      rows.map(({ target }) => target),
    );
    const unknown: (Row & { targetSha: string; key: string })[] = [];
    for (const row of rows) {
      const targetSha = tips.get(row.target);
      const key = `${row.projectId} ${row.sha} ${targetSha}`;
      const known = remembered.get(key);
      // Nothing is merged into a branch that is gone.
      if (known || !targetSha) found.set(row.place, known ?? []);
      else unknown.push({ ...row, targetSha, key });
    }
    for (const [projectId, asked] of Map.groupBy(unknown, (row) => row.projectId))
      for (let from = 0; from < asked.length; from += CODE_OWNER_BOUNDS.pairs) {
        const some = asked.slice(from, from + CODE_OWNER_BOUNDS.pairs);
        const pairs = some.map(({ sha: sourceSha, targetSha }) => ({ sourceSha, targetSha }));
        const answer = await operations.call(findCodeOwners, { projectId, pairs }, { principal });
        for (const [at, { place, key }] of some.entries()) {
          const lines = 'refused' in answer ? null : (answer.found[at] ?? null);
          if (lines) remembered.set(key, lines);
          found.set(place, lines);
        }
      }
    return found;
  };
}

/** The users and groups that a line names; others are left out. */
export async function namedOwners(
  directory: Pick<Directory, 'userByName' | 'userByEmail' | 'namespaceByPath'>,
  owners: readonly string[],
): Promise<NamedApprovers> {
  const userIds = new Set<number>();
  const groupIds = new Set<number>();
  for (const owner of owners) {
    const name = owner.startsWith('@') ? owner.slice(1) : undefined;
    const user = await (name === undefined ? directory.userByEmail(owner) : directory.userByName(name));
    if (user) userIds.add(user.id);
    else if (name !== undefined) {
      const group = await directory.namespaceByPath(name);
      if (group?.kind === 'group') groupIds.add(group.id);
    }
  }
  return { userIds: [...userIds], groupIds: [...groupIds] };
}
