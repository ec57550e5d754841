import { Rejection } from '@forgelog/contracts/errors.ts';
import type { milestoneWithStatsView } from '@forgelog/contracts/tracker/milestones/milestone.api.ts';
import {
  describeMilestones,
  findMilestones,
} from '@forgelog/contracts/tracker/milestones/milestone.operations.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { z } from 'zod';
import type { RepoPorts } from '../ports.ts';

export type ReleaseMilestone = z.output<typeof milestoneWithStatsView>;
type Ports = Pick<RepoPorts, 'operations'>;

/** The milestones that titles name; undefined to leave them as they are. @throws 400 with those that are none */
export async function milestonesNamed(
  { operations }: Ports,
  projectId: number,
  titles: readonly string[] | undefined,
  principal: Principal,
): Promise<number[] | undefined> {
  if (titles === undefined || titles.length === 0) return titles && [];
  const wanted = [...new Set(titles)];
  const { milestones } = await operations.call(findMilestones, { projectId, titles: wanted }, { principal });
  const ids = new Map(milestones.map(({ id, title }) => [title, id]));
  const missing = wanted.filter((title) => !ids.has(title));
  if (missing.length > 0)
    throw new Rejection('refused', { message: `Milestone(s) not found: ${missing.join(', ')}` });
  return wanted.map((title) => ids.get(title)!);
}

/** Milestones that are there still, by id, with the issues that the caller may see. */
export async function milestonesById(
  { operations }: Ports,
  ids: readonly number[],
  principal: Principal | null,
): Promise<ReadonlyMap<number, ReleaseMilestone>> {
  if (ids.length === 0) return new Map();
  const asked = { ids: [...new Set(ids)] };
  const { milestones } = await operations.call(describeMilestones, asked, { principal });
  return new Map(milestones.map(({ askedId, milestone }) => [askedId, milestone]));
}
