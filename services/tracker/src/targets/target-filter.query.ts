import {
  and,
  type Condition,
  eq,
  has,
  includes,
  isEmpty,
  not,
  oneOf,
  or,
  range,
} from '@forgelog/eventing/query.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import type { LabelFilter } from '../labels/label-filter.query.ts';

/* Filters that the lists of all kinds of targets have. */

type Scope = 'created_by_me' | 'assigned_to_me' | 'all' | 'created-by-me' | 'assigned-to-me';

const EVERYTHING = and();
/** What no record has. */
export const NOTHING = or();

export const noneOrAny = (word: 'None' | 'Any', field: string) =>
  word === 'None' ? isEmpty(field) : not(isEmpty(field));

/** A filter on what no issue has: `None` finds all of them, everything else finds none. */
export function nothingHas(wanted: string | number | undefined): Condition[] {
  if (wanted === undefined || wanted === '') return [];
  return [String(wanted).toLowerCase() === 'none' ? EVERYTHING : NOTHING];
}

export function numbered(iids: readonly number[], projectId: number | null): Condition {
  if (projectId === null) return oneOf('iid', iids);
  // Within a project a number is a key.
  const places = iids.map((iid) => placeOf(projectId, iid)).filter((place) => place !== undefined);
  return oneOf('place', places);
}

export async function labelled(names: readonly string[], filter: LabelFilter): Promise<Condition[]> {
  const labels = names.flatMap((name) => name.split(',')).map((name) => name.trim());
  const words = labels.map((label) => label.toLowerCase());
  if (words.includes('none')) return [not(await filter.labelled())];
  if (words.includes('any')) return [await filter.labelled()];
  return Promise.all(labels.filter((label) => label !== '').map((label) => filter.titled(label)));
}

export function byScope(scope: Scope | undefined, callerId: number | null): Condition {
  switch (scope) {
    case undefined:
    case 'all':
      return EVERYTHING;
    case 'created_by_me':
    case 'created-by-me':
      return callerId === null ? NOTHING : eq('authorId', callerId);
    case 'assigned_to_me':
    case 'assigned-to-me':
      return callerId === null ? NOTHING : has('assigneeIds', callerId);
    default:
      return scope satisfies never;
  }
}

export function between(field: string, after: string | undefined, before: string | undefined): Condition[] {
  if (after === undefined && before === undefined) return [];
  return [range(field, { ...(after === undefined ? {} : { gte: after }), ...(before && { lte: before }) })];
}

const MAX_WORDS = 20;

/** Every word must be in the title, or every word in the description. */
export function searching(search: string, fields: readonly ('title' | 'description')[] = []): Condition {
  const words = search
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);
  if (words.length === 0) return EVERYTHING;
  const where = fields.length > 0 ? fields : (['title', 'description'] as const);
  return or(...where.map((field) => and(...words.map((word) => includes(field, word)))));
}
