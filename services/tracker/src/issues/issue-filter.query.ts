import type { ParamsOf } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { listProjectIssues } from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { and, asc, type Condition, desc, eq, has, not, type SortKey } from '@forgelog/eventing/query.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import type { EpicFilter } from '../epics/epics-of-issues.query.ts';
import type { IterationFilter } from '../iterations/iterations-of-issues.query.ts';
import type { LabelFilter } from '../labels/label-filter.query.ts';
import type { MilestoneFilter } from '../milestones/milestone-filter.query.ts';
import {
  between,
  byScope,
  labelled,
  NOTHING,
  noneOrAny,
  numbered,
  searching,
} from '../targets/target-filter.query.ts';
import { dueOn } from './due-dates.ts';

/** The parameters that all issue lists share; `in` is not everywhere. */
export type IssueFilters = Omit<ParamsOf<typeof listProjectIssues>, 'id'>;

export interface FilterContext {
  /** null for an anonymous caller. */
  callerId: number | null;
  /** Where the list is that of one project. */
  projectId: number | null;
  edition: Configuration['EDITION'];
  labels: LabelFilter;
  milestone: MilestoneFilter;
  epic: EpicFilter;
  iteration: IterationFilter;
  /** `YYYY-MM-DD`. */
  today(): string;
  /** Issues with this reaction of the caller: its name, `Any` or `None`. */
  reactedWith(name: string, userId: number): Promise<Condition>;
  /** The id of whoever goes by this name; undefined where nobody does. */
  userId(username: string): Promise<number | undefined>;
}

/**
 * The condition that the filters of a list make together [L256]. @throws Rejection for what only a higher edition
 * takes, and for what excludes each other within `not`
 */
export async function filterIssues(filters: IssueFilters, context: FilterContext): Promise<Condition> {
  const premium = context.edition !== 'free';
  requireAllowed(filters, premium);
  const { search, state, confidential } = filters;
  const conditions = [
    ...(await selections(filters, context, premium)),
    ...(filters.not ? (await selections(filters.not, context, premium)).map(not) : []),
    byScope(filters.scope, context.callerId),
    ...(state && state !== 'all' ? [eq('state', state)] : []),
    ...(filters.issue_type ? [eq('issueType', filters.issue_type)] : []),
    ...(confidential === undefined ? [] : [eq('confidential', confidential)]),
    ...between('createdAt', filters.created_after, filters.created_before),
    ...between('updatedAt', filters.updated_after, filters.updated_before),
    ...(filters.due_date ? [dueOn(filters.due_date, context.today())] : []),
    ...(search ? [searching(search, filters.in)] : []),
    ...(await reacted(filters.my_reaction_emoji, context)),
  ];
  return and(...conditions);
}

const reacted = async (name: string | undefined, { callerId, reactedWith }: FilterContext) =>
  name && callerId !== null ? [await reactedWith(name, callerId)] : [];

type Selection = Pick<Partial<IssueFilters>, keyof NonNullable<IssueFilters['not']>>;

/**
 * What a filter selects and `not` turns round, one condition each. Of several values all must match; turned round,
 * none may, so each value that can be turned round is a condition of its own.
 */
async function selections(given: Selection, context: FilterContext, premium: boolean): Promise<Condition[]> {
  const conditions: Condition[] = [];
  const { assignee_id: assignee, author_id: author, author_username: authorName, iids, weight } = given;
  if (typeof assignee === 'number') conditions.push(has('assigneeIds', assignee));
  else if (assignee) conditions.push(noneOrAny(assignee, 'assigneeIds'));
  for (const name of given.assignee_username ?? []) {
    const id = await context.userId(name);
    conditions.push(id === undefined ? NOTHING : has('assigneeIds', id));
  }
  if (author !== undefined) conditions.push(eq('authorId', author));
  if (authorName) {
    const id = await context.userId(authorName);
    conditions.push(id === undefined ? NOTHING : eq('authorId', id));
  }
  if (iids && iids.length > 0) conditions.push(numbered(iids, context.projectId));
  if (given.labels) conditions.push(...(await labelled(given.labels, context.labels)));
  if (given.milestone) conditions.push(await context.milestone(given.milestone));
  if (premium) {
    const { iteration_id: iterationId, iteration_title: iterationTitle } = given;
    if (iterationId !== undefined) conditions.push(await context.iteration.byId(iterationId));
    if (iterationTitle) conditions.push(await context.iteration.byTitle(iterationTitle));
    if (typeof weight === 'number') conditions.push(eq('weight', weight));
    else if (weight) conditions.push(noneOrAny(weight, 'weight'));
  }
  if (context.edition === 'ultimate' && given.epic_id !== undefined)
    conditions.push(await context.epic(given.epic_id));
  return conditions;
}

function requireAllowed(filters: IssueFilters, premium: boolean): void {
  const problems: string[] = [];
  for (const [prefix, given] of [
    ['', filters],
    ['not', filters.not ?? {}],
  ] as const) {
    const name = (param: string) => (prefix ? `${prefix}[${param}]` : param);
    const assignees = given.assignee_username ?? [];
    if (!premium && assignees.length > 1)
      problems.push(
        `${name('assignee_username')} allows one value, but found ${assignees.length}: ${assignees.join(', ')}`,
      );
    if (!prefix) continue;
    // Outside of `not` the endpoint's own rules say so.
    for (const [a, b] of EXCLUSIVE)
      if (given[a] !== undefined && given[b] !== undefined)
        problems.push(`${name(a)}, ${name(b)} are mutually exclusive`);
  }
  if (problems.length > 0) throw new Rejection('invalid_parameters', { problems });
}

const EXCLUSIVE = [
  ['assignee_id', 'assignee_username'],
  ['author_id', 'author_username'],
  ['iteration_id', 'iteration_title'],
] as const;

/**
 * The order of a list, and of what is alike by its rankings, which go before it. Without due date or weight comes last
 * either way.
 */
export function orderIssues({ order_by: by, sort }: Pick<IssueFilters, 'order_by' | 'sort'>): SortKey[] {
  const along = sort === 'asc' ? asc : desc;
  switch (by) {
    case 'updated_at':
      return [along('updatedAt')];
    case 'due_date':
      return [sort === 'asc' ? asc('dueDateOrLast') : desc('dueDate')];
    case 'weight':
      return [sort === 'asc' ? asc('weightOrLast') : desc('weight')];
    case 'popularity':
      return [along('upvotes')];
    case 'relative_position':
      return [along('rank')];
    case 'created_at':
    case 'priority':
    case 'label_priority':
    case 'milestone_due':
      return [along('createdAt')];
    default:
      return by satisfies never;
  }
}
