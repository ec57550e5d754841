import { asc, eq, oneOf } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { type ShownFlag, strategiesOf } from './feature-flag.view.ts';
import {
  type FeatureFlagRow,
  type FeatureFlagUserListRow,
  featureFlags,
  featureFlagUserLists,
} from './feature-flags.projection.ts';

/** Far more than a project may have. */
const ALL = 10_000;

export async function withLists(
  readStore: Pick<ReadStore, 'find'>,
  flags: readonly FeatureFlagRow[],
): Promise<ShownFlag[]> {
  const ids = new Set(flags.flatMap((flag) => strategiesOf(flag).map(({ userListId }) => userListId)));
  ids.delete(null);
  const rows: readonly FeatureFlagUserListRow[] =
    ids.size === 0
      ? []
      : await readStore.find(featureFlagUserLists, { where: oneOf('id', [...ids] as number[]), limit: ALL });
  const lists = new Map(rows.map((row) => [row.id, row]));
  return flags.map((flag) => ({ ...flag, lists }));
}

export const flagsOfProject = (
  readStore: Pick<ReadStore, 'find'>,
  projectId: number,
): Promise<readonly FeatureFlagRow[]> =>
  readStore.find(featureFlags, { where: eq('projectId', projectId), sort: [asc('id')], limit: ALL });
