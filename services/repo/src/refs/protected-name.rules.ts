import { refNameProblem } from '@forgelog/git/refs/ref-name.ts';

/** The most protected names of one kind in a project: each push is held against all of them. */
export const MAX_PROTECTED_NAMES = 500;

/** Returns why a name, in which `*` stands for any text, cannot be protected; undefined if it can. */
export function protectedNameProblem(
  kind: 'branch' | 'tag',
  name: string,
  others: number,
): string | undefined {
  const prefix = kind === 'branch' ? 'refs/heads/' : 'refs/tags/';
  if (refNameProblem(prefix + name.replaceAll('*', 'x')) !== undefined) return 'Name is invalid';
  const many = kind === 'branch' ? 'branches' : 'tags';
  return others >= MAX_PROTECTED_NAMES
    ? `A project can have at most ${MAX_PROTECTED_NAMES} protected ${many}`
    : undefined;
}
