import type { Directory } from '@forgelog/directory/directory.ts';
import { and, type Condition, eq, has, or } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { foundAcross, readableAcross, readsConfidential } from '../targets/target.access.ts';
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

/** The issues of all projects that the caller may read, or of those among `within`: see `foundAcross`. */
export async function issuesAcross(
  { directory, readStore }: { directory: Directory; readStore: ReadStore },
  principal: Principal | null,
  { archived, within }: { archived: boolean; within: readonly number[] | null },
): Promise<{ where: Condition; counted: Condition }> {
  const readers = ownIssues(principal);
  const readable = await readableAcross(directory, principal, { feature: 'issues', readers, archived });
  return foundAcross(readStore, issues, { ...readable, within });
}
