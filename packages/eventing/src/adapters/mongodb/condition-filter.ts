import type { Document, Filter } from 'mongodb';
import { type Condition, fold, type Scalar, type SortKey } from '../../query.ts';
import { isBeginning } from '../../words.ts';
import { GONE, type StoredDocument, type StoredShape } from './stored-shape.ts';

/* Every value follows an operator, so no input is ever read as an operator. */

type Stored = Filter<StoredDocument>;

const NOTHING: Stored = { _id: { $in: [] } };
/** Bytes; servers compile patterns up to 32,764. */
const LONGEST_PATTERN = 32_000;

export function conditionFilter(shape: StoredShape, condition: Condition): Stored {
  switch (condition.op) {
    // Null is stored as absence, which `null` and `$ne: null` match too.
    case 'eq':
      return { [shape.stored(condition.field)]: { $eq: condition.value } };
    case 'in':
      return { [shape.stored(condition.field)]: { $in: condition.values } };
    case 'range': {
      const { field, op: _, ...bounds } = condition;
      const within = Object.entries(bounds).filter(([, value]) => value !== undefined);
      const operators = within.map(([name, value]) => [`$${name}`, value] as const);
      return {
        [shape.stored(field)]: operators.length > 0 ? Object.fromEntries(operators) : { $ne: null },
      };
    }
    case 'has':
      return { [condition.field]: { $eq: condition.value } };
    case 'hasAny':
      return { [condition.field]: { $in: condition.values } };
    case 'isEmpty': {
      const isArray = shape.type(condition.field).endsWith('[]');
      return { [shape.stored(condition.field)]: isArray ? { $in: [null, []] } : { $eq: null } };
    }
    case 'includes':
      return { [shape.folded(condition.field)]: { $regex: literalPattern(fold(condition.text)) } };
    case 'words': {
      if (condition.words.length === 0) return {};
      const within = (word: string) =>
        isBeginning(word) ? { $regex: `^${literalPattern(word)}` } : { $eq: word };
      return {
        $and: condition.words.map((word) => ({
          $or: condition.fields.map((field) => ({ [shape.words(field)]: within(word) })),
        })),
      };
    }
    case 'and':
      if (condition.conditions.length === 0) return {};
      return { $and: condition.conditions.map((inner) => conditionFilter(shape, inner)) };
    case 'or':
      if (condition.conditions.length === 0) return NOTHING;
      return { $or: condition.conditions.map((inner) => conditionFilter(shape, inner)) };
    case 'not':
      // `$nor` negates the whole condition, unlike `$not` and `$ne`.
      return { $nor: [conditionFilter(shape, condition.condition)] };
    default:
      return condition satisfies never;
  }
}

/** A pattern that matches exactly this text. @throws TypeError if it is longer than servers compile */
function literalPattern(text: string): string {
  const pattern = text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll('\0', '\\x00');
  if (Buffer.byteLength(pattern) > LONGEST_PATTERN) throw new TypeError('the text to search for is too long');
  return pattern;
}

export function queryFilter(
  shape: StoredShape,
  where: Condition | undefined,
  after?: { sort: readonly SortKey[]; values: readonly (Scalar | null)[] },
): Stored {
  const filters: Stored[] = [];
  if (!where || !excludesAbsent(shape, where)) filters.push({ [GONE]: { $eq: null } });
  if (where) filters.push(conditionFilter(shape, where));
  if (after) filters.push(afterFilter(shape, after.sort, after.values));
  return filters.length === 1 ? (filters[0] as Stored) : { $and: filters };
}

/** A deleted document has no fields. If none can match, an index alone answers a count. */
function excludesAbsent(shape: StoredShape, condition: Condition): boolean {
  const within = (inner: Condition) => excludesAbsent(shape, inner);
  switch (condition.op) {
    case 'eq':
      return condition.value !== null && condition.field !== shape.collection.key;
    case 'in':
    case 'range':
      return condition.field !== shape.collection.key;
    case 'has':
    case 'hasAny':
    case 'includes':
      return true;
    case 'words':
      return condition.words.length > 0;
    case 'and':
      return condition.conditions.some(within);
    case 'or':
      return condition.conditions.every(within);
    case 'isEmpty':
    case 'not':
      return false;
    default:
      return condition satisfies never;
  }
}

/**
 * Matches what sorts after the given values: equal in all sort keys but the last and beyond in that, or equal in all
 * but the last two, and so on. Each branch is equalities and one range, which an index answers with one seek.
 */
function afterFilter(
  shape: StoredShape,
  sort: readonly SortKey[],
  values: readonly (Scalar | null)[],
): Stored {
  const branches: Stored[] = [];
  for (let last = sort.length - 1; last >= 0; last--) {
    const equal = sort
      .slice(0, last)
      .map(({ field }, index) => ({ [shape.stored(field)]: { $eq: values[index] ?? null } }));
    const { field, direction } = sort[last] as SortKey;
    for (const beyond of beyondValue(values[last] ?? null, direction))
      branches.push({ $and: [...equal, { [shape.stored(field)]: beyond }] });
  }
  return branches.length === 0 ? NOTHING : { $or: branches };
}

/** Null sorts lowest: ascending, all others follow it; descending, it follows all others. */
function beyondValue(value: Scalar | null, direction: 'asc' | 'desc'): Document[] {
  if (direction === 'asc') return value === null ? [{ $ne: null }] : [{ $gt: value }];
  return value === null ? [] : [{ $lt: value }, { $eq: null }];
}

export function sortOf(shape: StoredShape, sort: readonly SortKey[]): Map<string, 1 | -1> {
  const order = new Map<string, 1 | -1>();
  for (const { field, direction } of sort) {
    const stored = shape.stored(field);
    if (!order.has(stored)) order.set(stored, direction === 'asc' ? 1 : -1);
  }
  return order;
}
