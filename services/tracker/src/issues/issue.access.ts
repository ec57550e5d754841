import type { Directory } from '@forgelog/directory/directory.ts';
import { and, broad, type Condition, eq, has, isEmpty, not, oneOf, or } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { readableAcross as readableTargetsAcross, readsConfidential } from '../targets/target.access.ts';
import { type Issue, issues, isThere } from './issues.collection.ts';

export const REPORTER = 20;

/** An issue that the caller may read; undefined where there is none for them. */
export async function readableIssue(
  readStore: ReadStore,
  { project, level }: ProjectGrant,
  principal: Principal | null,
  iid: number,
): Promise<Issue | undefined> {
  const place = placeOf(project.id, iid);
  if (place === undefined) return undefined;
  const issue = await readStore.get(issues, place);
  if (!isThere(issue)) return undefined;
  return issue.confidential && !readsConfidential(issue, level, principal) ? undefined : issue;
}

/** The issues of one project that the caller may read. */
export function readableInProject({ project, level }: ProjectGrant, principal: Principal | null): Condition {
  const inProject = eq('projectId', project.id);
  if (level >= REPORTER) return inProject;
  return and(inProject, or(eq('confidential', false), ...ownIssues(principal)));
}

function ownIssues(principal: Principal | null): Condition[] {
  return principal === null ? [] : [eq('authorId', principal.userId), has('assigneeIds', principal.userId)];
}

/** More issues than this are not gathered and sorted for one page of them. */
const MUCH = 5000;

/**
 * The issues of all projects that the caller may read, or of those among `within`; `archived`: those of archived
 * projects too. Twice the same condition, put for finding a page and for counting.
 */
export async function readableAcross(
  { directory, readStore }: { directory: Directory; readStore: ReadStore },
  principal: Principal | null,
  options: { archived: boolean; within: readonly number[] | null },
): Promise<{ where: Condition; counted: Condition }> {
  const { projects, open } = await readableTargetsAcross(directory, principal, {
    feature: 'issues',
    readers: ownIssues(principal),
    archived: options.archived,
  });
  const named = [
    ...(options.within === null ? [] : [oneOf('projectId', options.within)]),
    ...(projects === null ? [] : [projects]),
  ];
  // What a deleted issue leaves behind belongs to no project.
  if (named.length === 0) {
    const where = and(not(isEmpty('projectId')), open);
    return { where, counted: where };
  }
  const place = and(...named);
  const counted = and(place, open);
  const isMuch = (await readStore.count(issues, { where: place, atMost: MUCH })) >= MUCH;
  return { where: isMuch ? and(broad(place), open) : counted, counted };
}
