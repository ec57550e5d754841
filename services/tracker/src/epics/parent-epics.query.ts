import { visibleGroups } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { oneOf } from '@forgelog/eventing/query.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { mayRead } from './epic.access.ts';
import { type EpicRow, epics } from './epics.projection.ts';

/** By `place` of an epic, the one that it is a part of. */
export type ParentEpics = ReadonlyMap<number, Pick<EpicRow, 'id' | 'iid'>>;

const NONE: ParentEpics = new Map();

/** What epics are parts of, as far as the caller may see it: in their group and in those above it. */
export async function parentEpics(
  { readStore, directory }: Pick<ServicePorts, 'readStore' | 'directory'>,
  rows: readonly EpicRow[],
  principal: Principal | null,
): Promise<ParentEpics> {
  const ids = [...new Set(rows.flatMap(({ parentId }) => parentId ?? []))];
  if (ids.length === 0) return NONE;
  const found = await readStore.find(epics, { where: oneOf('id', ids), limit: ids.length });
  const groupIds = [...new Set(found.map(({ groupId }) => groupId))];
  const levels = await visibleGroups(directory, groupIds, principal);
  const readable = found.filter((row) => {
    const level = levels.get(row.groupId);
    return level !== undefined && mayRead(row, level, principal);
  });
  const byId = new Map(readable.map((row) => [row.id, row]));
  const parents = new Map<number, EpicRow>();
  for (const { place, groupId, parentId } of rows) {
    const parent = parentId === null ? undefined : byId.get(parentId);
    if (!parent) continue;
    const above = parent.groupId === groupId ? [] : ((await directory.namespace(groupId))?.ancestors ?? []);
    if (parent.groupId === groupId || above.includes(parent.groupId)) parents.set(place, parent);
  }
  return parents;
}
