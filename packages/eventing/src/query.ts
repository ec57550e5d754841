export type Scalar = string | number | boolean;

export type Condition =
  | { op: 'eq'; field: string; value: Scalar | null }
  | { op: 'in'; field: string; values: readonly Scalar[] }
  | { op: 'range'; field: string; gt?: Scalar; gte?: Scalar; lt?: Scalar; lte?: Scalar }
  | { op: 'has'; field: string; value: Scalar }
  | { op: 'hasAny'; field: string; values: readonly Scalar[] }
  | { op: 'isEmpty'; field: string }
  | { op: 'includes'; field: string; text: string }
  | { op: 'words'; fields: readonly string[]; words: readonly string[] }
  | { op: 'and' | 'or'; conditions: readonly Condition[] }
  | { op: 'not'; condition: Condition };

export interface SortKey {
  field: string;
  direction: 'asc' | 'desc';
}

/** Null matches only null. */
export const eq = (field: string, value: Scalar | null): Condition => ({ op: 'eq', field, value });
/** An empty list matches nothing. */
export const oneOf = (field: string, values: readonly Scalar[]): Condition => ({ op: 'in', field, values });
/** Null is never within bounds. */
export const range = (
  field: string,
  bounds: { gt?: Scalar; gte?: Scalar; lt?: Scalar; lte?: Scalar },
): Condition => ({ op: 'range', field, ...bounds });
export const has = (field: string, value: Scalar): Condition => ({ op: 'has', field, value });
/** An empty list matches nothing. */
export const hasAny = (field: string, values: readonly Scalar[]): Condition => ({
  op: 'hasAny',
  field,
  values,
});
export const isEmpty = (field: string): Condition => ({ op: 'isEmpty', field });
/** Matches without regard to case; requires the field in the collection's `search`. */
export const includes = (field: string, text: string): Condition => ({ op: 'includes', field, text });
/** Each word of `wordsOf` is in one of the fields, which the collection's `words` declare. */
export const holdsWords = (fields: readonly string[], words: readonly string[]): Condition => ({
  op: 'words',
  fields,
  words,
});
export const and = (...conditions: readonly Condition[]): Condition => ({ op: 'and', conditions });
/** An empty disjunction matches nothing. */
export const or = (...conditions: readonly Condition[]): Condition => ({ op: 'or', conditions });
/** Two-valued negation, which includes null fields. */
export const not = (condition: Condition): Condition => ({ op: 'not', condition });

/** Makes a database test a common condition along the sort order: databases do not search by a negation. */
export const broad = (condition: Condition): Condition => not(not(condition));

export function fieldsOf(condition: Condition | undefined): string[] {
  if (!condition) return [];
  if (condition.op === 'not') return fieldsOf(condition.condition);
  if ('conditions' in condition) return condition.conditions.flatMap(fieldsOf);
  return 'fields' in condition ? [...condition.fields] : [condition.field];
}

export const asc = (field: string): SortKey => ({ field, direction: 'asc' });
export const desc = (field: string): SortKey => ({ field, direction: 'desc' });

/** Text folding for `includes`, shared by all adapters. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
