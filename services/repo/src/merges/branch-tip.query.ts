import { InvalidNameError } from '@forgelog/git/errors.ts';
import type { RepoPorts } from '../ports.ts';

/** The tip of a branch, once its pushes are finished; undefined if there is none, or it can have no such name. */
export async function branchTip(
  { repositories }: Pick<RepoPorts, 'repositories'>,
  projectId: number,
  branch: string,
): Promise<string | undefined> {
  // A push is in the log before git has moved its refs.
  await repositories.idle(projectId);
  try {
    return await repositories.of(projectId).readRef(`refs/heads/${branch}`);
  } catch (error) {
    if (error instanceof InvalidNameError) return undefined;
    throw error;
  }
}
