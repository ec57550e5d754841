import { visibleGroups } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { LabelRow } from './labels.projection.ts';
import { labelsOf } from './shown-labels.ts';

/**
 * The labels that events of a target had, as far as the caller may see them: null for one that is gone, or that is of a
 * former place of the project and hidden from them.
 */
export async function labelsSeenOn(
  { readStore, directory }: Pick<ServicePorts, 'readStore' | 'directory'>,
  labelIds: readonly number[],
  target: { projectId: number } | { groupId: number },
  caller: Principal | null,
): Promise<ReadonlyMap<number, LabelRow | null>> {
  if (labelIds.length === 0) return new Map();
  const own = 'projectId' in target ? target.projectId : null;
  const known = await labelsOf(readStore, [{ labelIds }]);
  const above = (own === null ? undefined : await directory.project(own))?.ancestors ?? [];
  const elsewhere = [...known.values()].flatMap((row) => {
    const groupId = row?.groupId ?? null;
    return groupId === null || above.includes(groupId) ? [] : [groupId];
  });
  const seen = await visibleGroups(directory, [...new Set(elsewhere)], caller);
  const isSeen = ({ projectId, groupId }: LabelRow) =>
    projectId === own || (groupId !== null && (above.includes(groupId) || seen.has(groupId)));
  return new Map([...known].map(([id, row]) => [id, row && isSeen(row) ? row : null]));
}
