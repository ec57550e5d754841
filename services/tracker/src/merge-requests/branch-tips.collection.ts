import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { defineCollection, endsWith, type ReadStore } from '@forgelog/eventing/read-store.ts';

/**
 * The newest commit of each branch, so that lists of merge requests ask no repository. All branches are kept: which of
 * them a merge request will name is not known when they move.
 */
export const branchTips = defineCollection({
  name: 'branch_tips',
  key: 'branch',
  fields: { branch: 'text', projectId: 'integer', sha: 'text' },
  indexes: [['projectId']],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

/** One text for a branch of a project. */
export const branchKey = (projectId: number, branch: string): string => `${projectId} ${branch}`;

/** The tip of each of these branches; one that does not exist is left out. */
export async function tipsOf(
  readStore: ReadStore,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const tips = await Promise.all([...new Set(keys)].map((key) => readStore.get(branchTips, key)));
  return new Map(tips.flatMap((tip) => (tip ? [[tip.branch, tip.sha]] : [])));
}
