import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { milestoneWithStatsView } from './milestone.api.ts';

/** Titles of one question, and milestones of one answer: a page of 100 releases with as many each. */
export const MILESTONE_BOUNDS = { titles: 100, described: 10_000 } as const;

export const findMilestones = defineOperation({
  id: 'milestones-find',
  service: 'tracker',
  summary: 'Milestones of a project and of the groups above it, by title, that the caller may see',
  effect: 'read',
  request: z.strictObject({
    projectId: z.int(),
    titles: z.array(z.string()).max(MILESTONE_BOUNDS.titles),
  }),
  /** One for each title that there is; the project's own goes first. */
  answer: z.strictObject({ milestones: z.array(z.strictObject({ id: z.int(), title: z.string() })) }),
});

export const describeMilestones = defineOperation({
  id: 'milestones-describe',
  service: 'tracker',
  summary:
    'Milestones as answers show them, with the issues that the caller may see; the asking service checks rights',
  effect: 'read',
  request: z.strictObject({ ids: z.array(z.int()).max(MILESTONE_BOUNDS.described) }),
  /** Those that are there still. The id that was asked for may be of one that was promoted since. */
  answer: z.strictObject({
    milestones: z.array(z.strictObject({ askedId: z.int(), milestone: milestoneWithStatsView })),
  }),
});

export const milestoneOperations = [findMilestones, describeMilestones];
