import type { listPipelines } from '@forgelog/contracts/ci/pipelines/pipeline.api.ts';
import type { ParamsOf } from '@forgelog/contracts/endpoint.ts';
import {
  and,
  asc,
  type Condition,
  desc,
  eq,
  oneOf,
  or,
  range,
  type SortKey,
} from '@forgelog/eventing/query.ts';
import { NO_CHILD } from './pipelines.projection.ts';

type Filters = Omit<ParamsOf<typeof listPipelines>, 'id'>;

const NOTHING = or();

/** @param userId of whom `username` names; undefined for nobody */
export function pipelinesWhere(projectId: number, filters: Filters, userId: number | undefined): Condition {
  const { status, ref, sha, yaml_errors: hasYamlErrors, username, name } = filters;
  const { updated_after: after, updated_before: before } = filters;
  return and(
    eq('projectId', projectId),
    NO_CHILD,
    ...(filters.scope === undefined ? [] : [ofScope(filters.scope)]),
    ...(status === undefined ? [] : [eq('status', status)]),
    ...(ref === undefined ? [] : [eq('ref', ref)]),
    ...(sha === undefined ? [] : [eq('sha', sha)]),
    ...(hasYamlErrors === undefined ? [] : [eq('hasYamlErrors', hasYamlErrors)]),
    ...((username ?? name) === undefined ? [] : [userId === undefined ? NOTHING : eq('actorId', userId)]),
    ...(after === undefined ? [] : [range('updatedAt', { gte: after })]),
    ...(before === undefined ? [] : [range('updatedAt', { lte: before })]),
  );
}

function ofScope(scope: NonNullable<Filters['scope']>): Condition {
  switch (scope) {
    case 'running':
    case 'pending':
      return eq('status', scope);
    case 'finished':
      return oneOf('status', ['success', 'failed', 'canceled']);
    case 'branches':
      return and(eq('isNewest', true), eq('refKind', 'branch'));
    case 'tags':
      return and(eq('isNewest', true), eq('refKind', 'tag'));
    default:
      return scope satisfies never;
  }
}

export function pipelineOrder({ order_by: by, sort }: Pick<Filters, 'order_by' | 'sort'>): SortKey[] {
  const along = sort === 'asc' ? asc : desc;
  switch (by) {
    case 'id':
      return [along('id')];
    case 'status':
    case 'ref':
      return [along(by)];
    case 'updated_at':
      return [along('updatedAt')];
    case 'user_id':
      return [along('actorId')];
    default:
      return by satisfies never;
  }
}
