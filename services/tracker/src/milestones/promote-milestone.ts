import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { and, eq, oneOf } from '@forgelog/eventing/query.ts';
import { type MilestoneCommand, milestoneDecider, milestonesStream } from './milestone.decider.ts';
import { ownMilestones } from './milestone.query.ts';
import { type MilestoneRow, milestones } from './milestones.projection.ts';

const MOST = 100_000;

/**
 * Puts a milestone of the group in the place of those with its title in all projects below. The given one is replaced
 * last, so that whoever was interrupted can do it again.
 * @returns the id of that of the group
 */
export async function promoteMilestoneTo(
  { commands, ids, readStore, directory }: ServicePorts,
  milestone: MilestoneRow,
  groupId: number,
  metadata: EventMetadata,
): Promise<number> {
  const { title, description, startDate, dueDate, state } = milestone;
  const place = { projectId: null, groupId };
  const handle = (command: MilestoneCommand) =>
    commands.handle(milestoneDecider, milestonesStream(command), command, metadata);

  const titled = and(eq('title', title), ownMilestones(place));
  const [begun] = await readStore.find(milestones, { where: titled, limit: 1 });
  const milestoneId = begun?.id ?? (await ids.next('milestone'));
  if (!begun) {
    const attributes = { title, description, startDate, dueDate };
    await handle({ type: 'CreateMilestone', milestoneId, ...place, attributes });
    if (state === 'closed')
      await handle({ type: 'UpdateMilestone', milestoneId, ...place, changes: { state } });
  }

  const projects = await directory.projectsBelow(groupId);
  const where = and(eq('title', title), oneOf('projectId', projects));
  const same = await readStore.find(milestones, { where, limit: MOST });
  const last = ({ id }: MilestoneRow) => (id === milestone.id ? 1 : 0);
  for (const { id, projectId } of same.toSorted((a, b) => last(a) - last(b))) {
    const of = { milestoneId: id, projectId, groupId: null };
    await handle({ type: 'DeleteMilestone', ...of, replacedById: milestoneId });
  }
  return milestoneId;
}
