/** The conditions and orders of a read store query: plain data that an adapter translates. */

export type Scalar = string | number | boolean;

export type Condition =
  | { op: 'eq'; field: string; value: Scalar | null }
  | { op: 'in'; field: string; values: readonly Scalar[] }
  | { op: 'range'; field: string; gt?: Scalar; gte?: Scalar; lt?: Scalar; lte?: Scalar }
  | { op: 'has'; field: string; value: Scalar }
  | { op: 'hasAny'; field: string; values: readonly Scalar[] }
  | { op: 'isEmpty'; field: string }
  | { op: 'includes'; field: string; text: string }
  | { op: 'and' | 'or'; conditions: readonly Condition[] }
  | { op: 'not'; condition: Condition };

export interface SortKey {
  field: string;
  direction: 'asc' | 'desc';
}

/** The field equals the value; null matches null only. */
export const eq = (field: string, value: Scalar | null): Condition => ({ op: 'eq', field, value });
/** The field is one of the values; an empty list matches nothing. */
export const oneOf = (field: string, values: readonly Scalar[]): Condition => ({ op: 'in', field, values });
/** The field is within the bounds given; null is within no bounds. */
export const range = (
  field: string,
  bounds: { gt?: Scalar; gte?: Scalar; lt?: Scalar; lte?: Scalar },
): Condition => ({ op: 'range', field, ...bounds });
/** The array field holds the value. */
export const has = (field: string, value: Scalar): Condition => ({ op: 'has', field, value });
/** The array field holds one of the values at least; an empty list matches nothing. */
export const hasAny = (field: string, values: readonly Scalar[]): Condition => ({
  op: 'hasAny',
  field,
  values,
});
/** The field is null or an empty array. */
export const isEmpty = (field: string): Condition => ({ op: 'isEmpty', field });
/** The text field contains the text, without regard to case. Needs the field in the collection's `search`. */
export const includes = (field: string, text: string): Condition => ({ op: 'includes', field, text });
export const and = (...conditions: readonly Condition[]): Condition => ({ op: 'and', conditions });
/** An empty disjunction matches nothing. */
export const or = (...conditions: readonly Condition[]): Condition => ({ op: 'or', conditions });
/** Plain two-valued negation: what the condition does not match, null fields included. */
export const not = (condition: Condition): Condition => ({ op: 'not', condition });

/**
 * The same condition for one that much of a collection fulfils: put so (no database searches by a negation) it is
 * checked along the order of the list, instead of all that fulfils it being gathered and sorted for one page.
 */
export const broad = (condition: Condition): Condition => not(not(condition));

export const asc = (field: string): SortKey => ({ field, direction: 'asc' });
export const desc = (field: string): SortKey => ({ field, direction: 'desc' });

/** How text is folded for `includes`: the one definition that every adapter uses. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
