import type { Directory } from '@forgelog/directory/directory.ts';
import { type Condition, eq, oneOf, or } from '@forgelog/eventing/query.ts';
import type { MilestonePlace } from './milestone.decider.ts';
import type { ShownMilestone } from './milestone.view.ts';
import type { MilestoneRow } from './milestones.projection.ts';

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
