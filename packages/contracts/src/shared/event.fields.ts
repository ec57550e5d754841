import { z } from 'zod';
import { changed } from './changes.ts';

/* Fields that events of several nouns share. */

export const projectId = z.int().describe('Id of the project.');
export const groupId = z.int().describe('Id of the group.');
export const userId = z.int().describe('Id of the user.');

const LEVELS = '10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner';
export const accessLevel = z.int().describe(`Access level: ${LEVELS}.`);
const previousAccessLevel = z.int().describe(`Access level before the change: ${LEVELS}.`);
export const accessEndsAt = z
  .string()
  .nullable()
  .describe('First day without access, as `YYYY-MM-DD` in UTC; null if access does not expire.');

/** How a mark for deletion changed. */
export const deletionMark = changed({
  deletionDueAt: z
    .string()
    .nullable()
    .describe('When it will be deleted, as an ISO 8601 time in UTC; null if it is not marked for deletion.'),
});

/** How a direct membership of a group or project changed. */
export const membershipChange = {
  accessLevel,
  previousAccessLevel,
  expiresAt: accessEndsAt,
  ...changed({ accessLevel, expiresAt: accessEndsAt }),
};

/** The upcaster from version 1, which did not tell whether the end of the membership changed. */
export const membershipChanged = (data: { accessLevel: number; expiresAt: string | null }) => ({
  ...data,
  changes: { accessLevel: data.accessLevel, expiresAt: data.expiresAt },
  previous: null,
});

export const membershipEnd = z
  .enum(['removed', 'left', 'expired', 'deleted'])
  .describe(
    'Why the membership ended: removed by somebody, left, expired, or ended with the deletion of the user.',
  );
