import type { Scalar, SortKey } from '../../query.ts';
import { quote, type SqlValue } from './table.ts';

export interface Segment {
  sql: string;
  parameters: SqlValue[];
}

/**
 * Splits "sorts after these values" into segments in sort order: equal in all sort keys but the last, then in all but
 * the last two, and so on. An index answers each with one seek; a single OR would walk it from its start.
 * @param key the field that is never null, so no segment asks for nulls
 */
export function segmentsAfter(
  sort: readonly SortKey[],
  after: readonly (Scalar | null)[],
  key: string,
): Segment[] {
  const segments: Segment[] = [];
  const values = after.map((value) => (typeof value === 'boolean' ? Number(value) : value));
  for (let last = sort.length - 1; last >= 0; last--) {
    const equal: string[] = [];
    const parameters: SqlValue[] = [];
    for (let index = 0; index < last; index++) {
      const column = quote((sort[index] as SortKey).field);
      const value = values[index] as SqlValue;
      if (value === null) equal.push(`${column} IS NULL`);
      else {
        equal.push(`${column} = ?`);
        parameters.push(value);
      }
    }
    const { field, direction } = sort[last] as SortKey;
    const add = (beyond: string, ...bound: SqlValue[]) =>
      segments.push({
        sql: [...equal, `${quote(field)} ${beyond}`].join(' AND '),
        parameters: [...parameters, ...bound],
      });
    const value = values[last] as SqlValue;
    // Null sorts lowest: ascending, all others follow it; descending, it follows all others.
    if (direction === 'asc') value === null ? add('IS NOT NULL') : add('> ?', value);
    else if (value !== null) {
      add('< ?', value);
      if (field !== key) add('IS NULL');
    }
  }
  return segments;
}

export const orderBy = (sort: readonly SortKey[]): string =>
  sort.map(({ field, direction }) => `${quote(field)} ${direction === 'asc' ? 'ASC' : 'DESC'}`).join(', ');
