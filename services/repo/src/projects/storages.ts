import { DEFAULT_STORAGE } from '@forgelog/contracts/repo/projects/project.events.ts';

/** Where repositories are: the storage that this instance holds, and all that there are. */
export interface Storages {
  readonly own: string;
  readonly all: readonly string[];
}

export const ONE_STORAGE: Storages = { own: DEFAULT_STORAGE, all: [DEFAULT_STORAGE] };

/** What is wrong with a storage that is asked for; `now` is where the repository is, if it is. */
export function storageProblems(
  wanted: string | undefined,
  { all, now }: { all: readonly string[]; now?: string },
): string[] {
  if (wanted === undefined || wanted === now) return [];
  if (!all.includes(wanted)) return ['is not included in the list'];
  return now === undefined ? [] : ['cannot be changed: repositories are not moved between storages'];
}
