import { z } from 'zod';

/** Projects whose newest record is asked for at once. */
export const MOST_ASKED_PROJECTS = 1000;

/** The record with an id, or the newest of a kind, if it is in one of some projects. */
export const describedRecord = z.strictObject({
  projectIds: z.array(z.int()).max(MOST_ASKED_PROJECTS),
  /** Null for the newest. */
  id: z.int().nullable(),
});
export type DescribedRecord = z.output<typeof describedRecord>;
