import type { Directory } from '@forgelog/directory/directory.ts';
import { type Condition, eq, oneOf, or } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { MilestonePlace } from './milestone.decider.ts';
import type { ShownMilestone } from './milestone.view.ts';
import { endedMilestones, type MilestoneRow, milestones } from './milestones.projection.ts';

export const ownMilestones = ({ projectId, groupId }: MilestonePlace): Condition =>
  projectId === null ? eq('groupId', groupId) : eq('projectId', projectId);

/** Those of a place and of the groups above it: what can be given to the issues there. */
export async function milestonesFor(
  directory: Pick<Directory, 'project' | 'namespace'>,
  place: MilestonePlace,
): Promise<Condition> {
  const { projectId, groupId } = place;
  const above =
    projectId === null
      ? (await directory.namespace(groupId!))?.ancestors
      : (await directory.project(projectId))?.ancestors;
  return or(ownMilestones(place), oneOf('groupId', above ?? []));
}

/** The milestone that an id stands for now: the one that took its place, where it was promoted. */
export async function milestoneNow(
  readStore: Pick<ReadStore, 'get'>,
  id: number,
): Promise<MilestoneRow | undefined> {
  const row = await readStore.get(milestones, id);
  if (row) return row;
  const heir = (await readStore.get(endedMilestones, id))?.replacedById ?? null;
  return heir === null ? undefined : readStore.get(milestones, heir);
}

const MOST = 1_000_000;

/** By the id of each of these, the ids that issues and merge requests may name it by: its own, and those that it replaced. */
export async function idsStandingFor(
  readStore: Pick<ReadStore, 'find'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const ended = await readStore.find(endedMilestones, { where: oneOf('replacedById', ids), limit: MOST });
  const former = Map.groupBy(ended, ({ replacedById }) => replacedById!);
  return new Map(ids.map((id) => [id, [id, ...(former.get(id) ?? []).map(({ id }) => id)]]));
}

/** Rows with where their pages are. */
export function shownMilestones(
  directory: Pick<Directory, 'project' | 'namespace'>,
  rows: readonly MilestoneRow[],
): Promise<ShownMilestone[]> {
  return Promise.all(
    rows.map(async (row) => {
      const place =
        row.projectId === null
          ? `groups/${(await directory.namespace(row.groupId!))?.fullPath ?? ''}`
          : ((await directory.project(row.projectId))?.fullPath ?? '');
      return { ...row, page: `${place}/-/milestones/${row.iid}` };
    }),
  );
}
