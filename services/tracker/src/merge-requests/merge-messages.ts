import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { closedBy } from './closing-pattern.ts';
import type { MergeRequest } from './merge-requests.collection.ts';

/** The messages of a merge: the given ones, or else those of the project. */
export async function mergeMessagesOf(
  { directory }: Pick<ServicePorts, 'directory'>,
  row: MergeRequest,
  given: { mergeMessage: string | null; squashMessage: string | null },
): Promise<{ mergeMessage: string; squashMessage: string }> {
  const { projectId, sourceBranch, targetBranch, title, description, iid, sourceProjectId } = row;
  const project = await directory.project(projectId);
  const fork = sourceProjectId === projectId ? undefined : await directory.project(sourceProjectId);
  const closes = closedBy(description ?? '').map(({ project, iid }) => `${project ?? ''}#${iid}`);
  const mergeMessage =
    given.mergeMessage ??
    defaultMergeMessage({
      ...{ sourceBranch, targetBranch, title, closes },
      reference: `${project?.fullPath ?? ''}!${iid}`,
      fork: fork?.fullPath ?? null,
    });
  return { mergeMessage, squashMessage: given.squashMessage ?? title };
}

/** What the messages of a merge are made from. */
interface Merged {
  sourceBranch: string;
  targetBranch: string;
  title: string;
  /** Issues that it closes, as a reader of the target project names them: `#3`. */
  closes: readonly string[];
  /** `group/project!4` */
  reference: string;
  /** The full path of the source project, where it is another one. */
  fork: string | null;
}

/** The message of a merge commit, unless the caller gives one. */
function defaultMergeMessage(merged: Merged): string {
  const { sourceBranch, targetBranch, title, closes, reference, fork } = merged;
  const source = fork === null ? `'${sourceBranch}'` : `'${fork}:${sourceBranch}'`;
  return [
    `Merge branch ${source} into '${targetBranch}'`,
    title,
    ...(closes.length > 0 ? [`Closes ${named(closes)}`] : []),
    `See merge request ${reference}`,
  ].join('\n\n');
}

/** `#1, #2, and #3` */
function named(names: readonly string[]): string {
  if (names.length < 3) return names.join(' and ');
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`;
}
