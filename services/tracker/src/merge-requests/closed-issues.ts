import { listMergeCommits, MERGE_BOUNDS } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import { grantProject } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { readableIssue } from '../issues/issue.access.ts';
import type { Issue } from '../issues/issues.collection.ts';
import { closedBy, type IssueReference } from './closing-pattern.ts';
import type { MergeRequest } from './merge-requests.collection.ts';

export interface ClosedIssue {
  issue: Issue;
  /** The rights of the principal in the project of the issue. */
  grant: ProjectGrant;
}

type Described = Pick<MergeRequest, 'projectId' | 'description' | 'startSha' | 'sha'>;

/** The issues that a merge request closes when it is merged, as far as the principal may read them. */
export function closedIssues({ directory, readStore, operations }: ServicePorts) {
  async function find(
    { project: path, iid }: IssueReference,
    projectId: number,
    principal: Principal,
  ): Promise<ClosedIssue | undefined> {
    const project = await (path === null ? directory.project(projectId) : directory.projectByPath(path));
    const grant = project && (await grantProject(project, principal, directory));
    if (!grant?.can('issues')) return undefined;
    const issue = await readableIssue(readStore, grant, principal, iid);
    return issue && { issue, grant };
  }

  /** Messages of its newest commits. */
  async function messages({ projectId, startSha, sha }: Described, principal: Principal): Promise<string[]> {
    const asked = { projectId, startSha, headSha: sha, offset: 0, limit: MERGE_BOUNDS.commits };
    const answer = await operations.call(listMergeCommits, asked, { principal });
    return 'refused' in answer ? [] : answer.commits.map(({ message }) => message);
  }

  return async (row: Described, principal: Principal): Promise<ClosedIssue[]> => {
    const texts = [row.description ?? '', ...(await messages(row, principal))];
    const found = new Map<number, ClosedIssue>();
    for (const reference of texts.flatMap(closedBy)) {
      const closed = await find(reference, row.projectId, principal);
      if (closed) found.set(closed.issue.id, closed);
    }
    return [...found.values()];
  };
}
