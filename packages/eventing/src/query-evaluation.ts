import { type Condition, fold, type Scalar, type SortKey } from './query.ts';
import { isAmong, wordsOf } from './words.ts';

/* The reference semantics of queries; database adapters are tested against them. */

type Fields = Record<string, unknown>;

export function matches(condition: Condition, document: Fields): boolean {
  switch (condition.op) {
    case 'eq':
      return document[condition.field] === condition.value;
    case 'in':
      return condition.values.includes(document[condition.field] as Scalar);
    case 'range': {
      const value = document[condition.field] as Scalar | null;
      if (value === null) return false;
      const { gt, gte, lt, lte } = condition;
      return (
        (gt === undefined || compareValues(value, gt) > 0) &&
        (gte === undefined || compareValues(value, gte) >= 0) &&
        (lt === undefined || compareValues(value, lt) < 0) &&
        (lte === undefined || compareValues(value, lte) <= 0)
      );
    }
    case 'has':
      return array(document[condition.field]).includes(condition.value);
    case 'hasAny':
      return array(document[condition.field]).some((item) => condition.values.includes(item));
    case 'isEmpty': {
      const value = document[condition.field];
      return value === null || (Array.isArray(value) && value.length === 0);
    }
    case 'includes': {
      const value = document[condition.field];
      return typeof value === 'string' && fold(value).includes(fold(condition.text));
    }
    case 'words': {
      const texts = condition.fields.map((field) => wordsOf((document[field] as string | null) ?? ''));
      return condition.words.every((word) => texts.some((words) => isAmong(word, words)));
    }
    case 'and':
      return condition.conditions.every((inner) => matches(inner, document));
    case 'or':
      return condition.conditions.some((inner) => matches(inner, document));
    case 'not':
      return !matches(condition.condition, document);
    default:
      return condition satisfies never;
  }
}

const array = (value: unknown): Scalar[] => (Array.isArray(value) ? value : []);

/** Null first; text by code point, as databases compare it, not by UTF-16 unit. */
export function compareValues(a: Scalar | null, b: Scalar | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  return a < b ? -1 : 1;
}

function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    // A surrogate belongs to a code point above every single UTF-16 unit.
    const leftHigh = isSurrogate(left);
    if (leftHigh !== isSurrogate(right)) return leftHigh ? 1 : -1;
    return left - right;
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

export function compareBy(sort: readonly SortKey[]): (a: Fields, b: Fields) => number {
  return (a, b) => {
    for (const { field, direction } of sort) {
      const order = compareValues(a[field] as Scalar | null, b[field] as Scalar | null);
      if (order !== 0) return direction === 'asc' ? order : -order;
    }
    return 0;
  };
}

export function isAfter(
  document: Fields,
  sort: readonly SortKey[],
  after: readonly (Scalar | null)[],
): boolean {
  const bound = Object.fromEntries(sort.map(({ field }, index) => [field, after[index] ?? null]));
  return compareBy(sort)(document, bound) > 0;
}

export function pick<D extends Fields>(document: D, fields: readonly string[] | undefined): D {
  if (!fields) return document;
  return Object.fromEntries(fields.map((field) => [field, document[field]])) as D;
}
