import { DEFAULT_STORAGE } from '@forgelog/contracts/repo/projects/project.events.ts';

/** The storage of this instance, and all that exist. */
export interface Storages {
  readonly own: string;
  readonly all: readonly string[];
}

export const ONE_STORAGE: Storages = { own: DEFAULT_STORAGE, all: [DEFAULT_STORAGE] };

/** Validates a requested storage; `now` is that of an existing repository. */
export function storageProblems(
  wanted: string | undefined,
  { all, now }: { all: readonly string[]; now?: string },
): string[] {
  if (wanted === undefined || wanted === now) return [];
  if (!all.includes(wanted)) return ['is not included in the list'];
  return now === undefined ? [] : ['cannot be changed: repositories are not moved between storages'];
}
