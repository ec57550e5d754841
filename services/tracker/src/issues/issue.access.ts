import type { Directory } from '@forgelog/directory/directory.ts';
import { and, broad, type Condition, eq, has, isEmpty, not, oneOf, or } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type IssueDocument, issues, placeOf } from './issues.collection.ts';

/*
 * Confidential issues are there for their author, their assignees and for Reporters upwards; for everyone else they
 * are not, in no list, count or search, and asked for by number they answer like a number that was never given.
 */

export const REPORTER = 20;

/** An issue that the caller may read; undefined where there is none for them. */
export async function readableIssue(
  readStore: ReadStore,
  { project, level }: ProjectGrant,
  principal: Principal | null,
  iid: number,
): Promise<IssueDocument | undefined> {
  const place = placeOf(project.id, iid);
  if (place === undefined) return undefined;
  const issue = await readStore.get(issues, place);
  // A deleted issue leaves its key behind, and nothing else.
  return issue && issue.projectId !== null && mayRead(issue, level, principal) ? issue : undefined;
}

type Guarded = Pick<IssueDocument, 'confidential' | 'authorId' | 'assigneeIds'>;

function mayRead(issue: Guarded, level: number, principal: Principal | null): boolean {
  if (level >= REPORTER || !issue.confidential) return true;
  return principal !== null && isReader(issue, principal.userId);
}

const isReader = ({ authorId, assigneeIds }: Guarded, userId: number): boolean =>
  authorId === userId || assigneeIds!.includes(userId);

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
  const { projects, open } = await across(directory, principal, ownIssues(principal), options.archived);
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

/** The same for records that hold `projectId`, `confidential` and who may read them all the same, `readerIds`. */
export async function targetsReadableAcross(directory: Directory, principal: Principal): Promise<Condition> {
  const own = [has('readerIds', principal.userId)];
  const { projects, open } = await across(directory, principal, own, true);
  return projects === null ? open : and(projects, open);
}

/** The projects that the caller may see (null: all), and what in them is open to him. */
async function across(
  directory: Directory,
  principal: Principal | null,
  own: readonly Condition[],
  archived: boolean,
): Promise<{ projects: Condition | null; open: Condition }> {
  const field = 'projectId';
  const closed = await directory.projectsWithout('issues', principal, { archived: !archived, field });
  const projects = await directory.projectsWith(principal, 0, field);
  if (projects === null) return { projects, open: not(closed) };
  const asReporter = await directory.projectsWith(principal, REPORTER, field);
  const readers = [...own, ...(asReporter ? [asReporter] : [])];
  return { projects, open: and(not(closed), or(eq('confidential', false), ...readers)) };
}
