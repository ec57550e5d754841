import { DEFAULT_STORAGE } from '@forgelog/contracts/repo/projects/project.events.ts';

/** The storage of this instance, and all that exist. */
export interface Storages {
  readonly own: string;
  readonly all: readonly string[];
}

export const ONE_STORAGE: Storages = { own: DEFAULT_STORAGE, all: [DEFAULT_STORAGE] };

/** Validates a requested storage. */
export function storageProblems(wanted: string | undefined, { all }: { all: readonly string[] }): string[] {
  return wanted === undefined || all.includes(wanted) ? [] : ['is not included in the list'];
}
