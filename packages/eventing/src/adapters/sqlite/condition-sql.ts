import { type Condition, fold, type Scalar } from '../../query.ts';
import { quote, type SqlValue, type Table } from './table.ts';

/** Values are never part of the text; fields are checked before. */
export interface ConditionSql {
  sql: string;
  parameters: SqlValue[];
  /** True if few documents match a required condition, so that lookup by key is fastest. */
  byKey: boolean;
}

/** Longer lists become one JSON parameter, so that the SQL text and its prepared statement stay the same. */
const LISTED = 8;

export type IsRare = (field: string, values: readonly Scalar[]) => boolean;

export function conditionSql(table: Table, condition: Condition | undefined, isRare: IsRare): ConditionSql {
  if (!condition) return { sql: '1', parameters: [], byKey: false };
  const parameters: SqlValue[] = [];
  let byKey = false;
  const sql = translate(condition, true);
  return { sql, parameters, byKey };

  function parameter(value: Scalar): string {
    parameters.push(typeof value === 'boolean' ? Number(value) : value);
    return '?';
  }

  function isOneOf(column: string, values: readonly Scalar[]): string {
    if (values.length === 1) return `${column} = ${parameter(values[0] as Scalar)}`;
    if (values.length <= LISTED) return `${column} IN (${values.map(parameter).join(', ')})`;
    const list = values.map((value) => (typeof value === 'boolean' ? Number(value) : value));
    return `${column} IN (SELECT value FROM json_each(${parameter(JSON.stringify(list))}))`;
  }

  function membership(field: string, values: readonly Scalar[], outermost: boolean): string {
    if (values.length === 0) return '0';
    const key = `${table.name}.${table.key}`;
    if (!table.sides.includes(field))
      return `EXISTS (SELECT 1 FROM json_each(${table.name}.${quote(field)}) WHERE ${isOneOf('value', values)})`;
    const side = table.side(field);
    if (!isRare(field, values))
      return `EXISTS (SELECT 1 FROM ${side} WHERE owner = ${key} AND ${isOneOf('value', values)})`;
    byKey ||= outermost;
    return `${key} IN (SELECT owner FROM ${side} WHERE ${isOneOf('value', values)})`;
  }

  /** `outermost` is true for the whole condition, and for each operand of an outermost `and`. */
  function translate(inner: Condition, outermost: boolean): string {
    switch (inner.op) {
      case 'eq':
        if (inner.value === null) return `${quote(inner.field)} IS NULL`;
        return `${quote(inner.field)} = ${parameter(inner.value)}`;
      case 'in':
        return inner.values.length === 0 ? '0' : isOneOf(quote(inner.field), inner.values);
      case 'range': {
        const column = quote(inner.field);
        const bounds = [`${column} IS NOT NULL`];
        if (inner.gt !== undefined) bounds.push(`${column} > ${parameter(inner.gt)}`);
        if (inner.gte !== undefined) bounds.push(`${column} >= ${parameter(inner.gte)}`);
        if (inner.lt !== undefined) bounds.push(`${column} < ${parameter(inner.lt)}`);
        if (inner.lte !== undefined) bounds.push(`${column} <= ${parameter(inner.lte)}`);
        return `(${bounds.slice(bounds.length > 1 ? 1 : 0).join(' AND ')})`;
      }
      case 'has':
        return membership(inner.field, [inner.value], outermost);
      case 'hasAny':
        return membership(inner.field, inner.values, outermost);
      case 'isEmpty': {
        const column = quote(inner.field);
        const isArray = table.type(inner.field).endsWith('[]');
        return isArray ? `(${column} IS NULL OR ${column} = '[]')` : `${column} IS NULL`;
      }
      case 'includes':
        return `instr(${table.searched(inner.field)}, ${parameter(fold(inner.text))}) > 0`;
      case 'and':
        if (inner.conditions.length === 0) return '1';
        return `(${inner.conditions.map((each) => translate(each, outermost)).join(' AND ')})`;
      case 'or':
        if (inner.conditions.length === 0) return '0';
        return `(${inner.conditions.map((each) => translate(each, false)).join(' OR ')})`;
      case 'not':
        // SQL's NULL result counts as no match; without a nested negation it spreads no further.
        return `NOT coalesce(${translate(inner.condition, false)}, 0)`;
      default:
        return inner satisfies never;
    }
  }
}
