import type { ParamsOf } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { listProjectMergeRequests } from '@forgelog/contracts/tracker/merge-requests/merge-request-list.api.ts';
import { and, asc, type Condition, desc, eq, has, not, type SortKey } from '@forgelog/eventing/query.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import type { LabelFilter } from '../labels/label-filter.query.ts';
import type { MilestoneFilter } from '../milestones/milestone-filter.query.ts';
import {
  between,
  byScope,
  labelled,
  NOTHING,
  noneOrAny,
  nothingHas,
  numbered,
  searching,
} from '../targets/target-filter.query.ts';

/** The parameters that all lists of merge requests share; `iids` is not everywhere. */
export type MergeRequestFilters = Omit<ParamsOf<typeof listProjectMergeRequests>, 'id' | 'iids'> & {
  iids?: readonly number[];
};

interface FilterContext {
  callerId: number;
  /** Where the list is that of one project. */
  projectId: number | null;
  edition: Configuration['EDITION'];
  labels: LabelFilter;
  milestone: MilestoneFilter;
  /** The id of whoever goes by this name; undefined where nobody does. */
  userId(username: string): Promise<number | undefined>;
  /** Those with this reaction of the caller: its name, `Any` or `None`. */
  reactedWith(name: string): Promise<Condition>;
}

/** The condition that the filters of a list make together [L267]. @throws Rejection for what excludes each other */
export async function filterMergeRequests(
  filters: MergeRequestFilters,
  context: FilterContext,
): Promise<Condition> {
  requireOneOfEach(filters.not ?? {});
  const { state, source_branch: source, target_branch: target, wip, search, iids } = filters;
  const premium = context.edition !== 'free';
  return and(
    ...(await selections(filters, context)),
    ...(await selections(filters.not ?? {}, context)).map(not),
    byScope(filters.scope, context.callerId),
    ...(iids && iids.length > 0 ? [numbered(iids, context.projectId)] : []),
    ...(state && state !== 'all' ? [eq('state', state)] : []),
    ...(source === undefined ? [] : [eq('sourceBranch', source)]),
    ...(target === undefined ? [] : [eq('targetBranch', target)]),
    ...(wip ? [eq('draft', wip === 'yes')] : []),
    ...between('createdAt', filters.created_after, filters.created_before),
    ...between('updatedAt', filters.updated_after, filters.updated_before),
    ...(search ? [searching(search, filters.in)] : []),
    ...(premium ? [...approvedBy(filters.approved_by_ids), ...ruledBy(filters.approver_ids)] : []),
    // Deployments do not name merge requests yet.
    ...nothingHas(filters.environment),
    ...nothingHas(filters.deployed_before),
    ...nothingHas(filters.deployed_after),
  );
}

type Selection = Pick<Partial<MergeRequestFilters>, keyof NonNullable<MergeRequestFilters['not']>>;

/** What a filter selects and `not` turns round, one condition each. */
async function selections(
  given: Selection,
  { userId, reactedWith, labels, milestone }: FilterContext,
): Promise<Condition[]> {
  const { author_id: author, author_username: authorName, reviewer_username: reviewerName } = given;
  const conditions: Condition[] = await labelled(given.labels ?? [], labels);
  const named = async (name: string, condition: (id: number) => Condition) => {
    const id = await userId(name);
    return id === undefined ? NOTHING : condition(id);
  };
  if (author !== undefined) conditions.push(eq('authorId', author));
  if (authorName) conditions.push(await named(authorName, (id) => eq('authorId', id)));
  conditions.push(...among('assigneeIds', given.assignee_id), ...among('reviewerIds', given.reviewer_id));
  for (const name of given.assignee_username ?? [])
    conditions.push(await named(name, (id) => has('assigneeIds', id)));
  const word = NONE_OR_ANY.find((each) => each.toLowerCase() === reviewerName?.toLowerCase());
  if (word) conditions.push(noneOrAny(word, 'reviewerIds'));
  else if (reviewerName) conditions.push(await named(reviewerName, (id) => has('reviewerIds', id)));
  if (given.milestone) conditions.push(await milestone(given.milestone));
  if (given.my_reaction_emoji) conditions.push(await reactedWith(given.my_reaction_emoji));
  return conditions;
}

const NONE_OR_ANY = ['None', 'Any'] as const;

type UserOrWord = number | 'None' | 'Any';

function among(field: string, wanted: UserOrWord | undefined): Condition[] {
  if (wanted === undefined) return [];
  return [typeof wanted === 'number' ? has(field, wanted) : noneOrAny(wanted, field)];
}

const approvedBy = (wanted: readonly UserOrWord[] = []): Condition[] =>
  wanted.flatMap((each) => among('approvedByIds', each));

/** No rule names approvers yet. */
const ruledBy = (wanted: readonly UserOrWord[] = []): Condition[] =>
  wanted.flatMap((each) => nothingHas(each));

const EXCLUSIVE = [
  ['author_id', 'author_username'],
  ['assignee_id', 'assignee_username'],
  ['reviewer_id', 'reviewer_username'],
] as const;

/** Outside of `not` the endpoint's own rules say so. */
function requireOneOfEach(given: Selection): void {
  const problems = EXCLUSIVE.filter(([a, b]) => given[a] !== undefined && given[b] !== undefined).map(
    ([a, b]) => `${a}, ${b} are mutually exclusive`,
  );
  if (problems.length > 0) throw new Rejection('invalid_parameters', { problems });
}

export function orderMergeRequests({
  order_by: by,
  sort,
}: Pick<MergeRequestFilters, 'order_by' | 'sort'>): SortKey[] {
  const along = sort === 'asc' ? asc : desc;
  return [along(by === 'updated_at' ? 'updatedAt' : 'createdAt')];
}
