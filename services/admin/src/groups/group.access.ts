export type Visibility = 'private' | 'internal' | 'public';

export const VISIBILITY_RANK: Readonly<Record<Visibility, number>> = { private: 0, internal: 1, public: 2 };

export const lowerOf = (visibility: Visibility, ceiling: Visibility): Visibility =>
  VISIBILITY_RANK[visibility] > VISIBILITY_RANK[ceiling] ? ceiling : visibility;

/** The most open visibility of subgroups and projects in a group; null without any. */
export interface HighestBelow {
  group: Visibility | null;
  project: Visibility | null;
}

/** A group is at most as open as its parent, and at least as open as its contents. */
export function visibilityProblems(
  visibility: Visibility,
  parent: Visibility | null,
  below: HighestBelow,
): string[] {
  const problems: string[] = [];
  const exceeds = (other: Visibility | null) =>
    other !== null && VISIBILITY_RANK[other] > VISIBILITY_RANK[visibility];
  if (parent !== null && VISIBILITY_RANK[visibility] > VISIBILITY_RANK[parent])
    problems.push(`${visibility} is not allowed since the parent group has ${parent} visibility.`);
  if (exceeds(below.project))
    problems.push(`${visibility} is not allowed since this group contains projects with higher visibility.`);
  if (exceeds(below.group))
    problems.push(`${visibility} is not allowed since there are sub-groups with higher visibility.`);
  return problems;
}
