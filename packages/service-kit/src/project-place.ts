import { LARGEST_IID } from '@forgelog/contracts/shared/project-number.ts';

/* Project and number in one key: a record is one step into its table, and those of a project lie together. */

const STEP = LARGEST_IID + 1;

/** undefined for a number that nothing can have. Exact for 900 million projects. */
export function placeOf(projectId: number, iid: number): number | undefined {
  if (!Number.isSafeInteger(iid) || iid < 1 || iid > LARGEST_IID) return undefined;
  return projectId * STEP + iid;
}

export const iidOf = (place: number): number => place % STEP;
/** All keys of a project lie between these. */
export const placesOf = (projectId: number) => ({ gt: projectId * STEP, lt: (projectId + 1) * STEP });
