import { z } from 'zod';
import { defineOperation } from '../../operation.ts';

/** Most projects of one answer. */
export const MOST_CONTRIBUTED = 10_000;

export const findContributedProjects = defineOperation({
  id: 'contributed-projects-find',
  service: 'tracker',
  summary: 'Projects in which a user did something since a time; the asking service checks rights',
  effect: 'read',
  request: z.strictObject({ userId: z.int(), since: z.string() }),
  answer: z.strictObject({ projectIds: z.array(z.int()).max(MOST_CONTRIBUTED) }),
});

export const activityEventOperations = [findContributedProjects];
