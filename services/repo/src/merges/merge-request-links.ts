import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { mergeRequestHeads, openFrom } from './merge-request-refs.projection.ts';

const BRANCHES = 'refs/heads/';
/** Branches of one push that are told of. */
const MOST_BRANCHES = 5;
/** Merge requests of one branch that are told of. */
const MOST_REQUESTS = 5;

/** What git prints to a pusher: where to open a merge request of each branch, or where it is. Empty for nothing to say. */
export async function mergeRequestLinks(
  { readStore, directory }: Pick<ServicePorts, 'readStore' | 'directory'>,
  { project, can }: ProjectGrant,
  moved: readonly RefUpdate[],
): Promise<string> {
  if (project.readOnly || !can('merge_requests')) return '';
  // As it is after the push: the first one chooses the default branch.
  const defaultBranch = (await directory.project(project.id))?.defaultBranch;
  const branches = moved.filter(
    ({ ref, newOid }) =>
      ref.startsWith(BRANCHES) && newOid !== ZERO_OID && ref !== `${BRANCHES}${defaultBranch}`,
  );
  const lines: string[] = [];
  for (const { ref } of branches.slice(0, MOST_BRANCHES)) {
    const branch = ref.slice(BRANCHES.length);
    const where = openFrom(project.id, ref);
    const open = await readStore.find(mergeRequestHeads, { where, limit: MOST_REQUESTS });
    const addresses: string[] = [];
    for (const { projectId, iid } of open) {
      const target = await directory.project(projectId);
      if (target) addresses.push(addressOf(directory.externalUrl, target.fullPath, `${iid}`));
    }
    const asked = `new?merge_request%5Bsource_branch%5D=${encodeURIComponent(branch)}`;
    if (addresses.length > 0) lines.push('', `View merge request for ${branch}:`);
    else lines.push('', `To create a merge request for ${branch}, visit:`);
    const shown =
      addresses.length > 0 ? addresses : [addressOf(directory.externalUrl, project.fullPath, asked)];
    lines.push(...shown.map((address) => `  ${address}`));
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}

const addressOf = (externalUrl: string, fullPath: string, what: string) =>
  `${externalUrl}/${fullPath}/-/merge_requests/${what}`;
