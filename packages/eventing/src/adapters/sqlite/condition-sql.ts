import { type Condition, fold, type Scalar } from '../../query.ts';
import { isBeginning } from '../../words.ts';
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

export interface Rarity {
  isRare: IsRare;
  /** @param isNarrow an index leads to the documents that the other conditions leave */
  looksUp(holders: ConditionSql, isNarrow: boolean): boolean;
}

export function conditionSql(
  table: Table,
  condition: Condition | undefined,
  { isRare, looksUp }: Rarity,
): ConditionSql {
  if (!condition) return { sql: '1', parameters: [], byKey: false };
  const whole = condition;
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

  function withWords(inner: Words, outermost: boolean): string {
    const required = outermost ? requiredIn(whole) : [];
    const holders = holdersOf(table, inner, required);
    const isLookup = outermost && looksUp(holders, required.some(isNarrowing));
    byKey ||= isLookup;
    parameters.push(...holders.parameters);
    // A sign keeps the planner from looking up each holder where it should walk along the order.
    return `${isLookup ? '' : '+'}${table.name}.${table.key} IN (${holders.sql})`;
  }

  function isNarrowing(each: Condition): boolean {
    if (each.op !== 'eq' && each.op !== 'in') return false;
    return table.collection.indexes.some(([first]) => first === each.field);
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
      case 'words':
        if (inner.words.length === 0) return '1';
        return withWords(inner, outermost);
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

const requiredIn = (condition: Condition): Condition[] =>
  condition.op === 'and' ? condition.conditions.flatMap(requiredIn) : [condition];

type Words = Extract<Condition, { op: 'words' }>;

/** Bounds of the key narrow the walk through the full-text index. */
function holdersOf(table: Table, words: Words, required: readonly Condition[]): ConditionSql {
  const parameters: SqlValue[] = [matchText(table, words)];
  const bounds: string[] = [];
  for (const each of required) {
    if (each.op !== 'range' || each.field !== table.collection.key) continue;
    for (const [operator, bound] of [
      ['>', each.gt],
      ['>=', each.gte],
      ['<', each.lt],
      ['<=', each.lte],
    ] as const) {
      if (bound === undefined) continue;
      bounds.push(` AND rowid ${operator} ?`);
      parameters.push(bound as number);
    }
  }
  const index = table.wordIndex;
  const sql = `SELECT rowid FROM ${index} WHERE ${index} MATCH ?${bounds.join('')}`;
  return { sql, parameters, byKey: true };
}

/** Words hold letters, digits and marks only, so nothing in quotation marks is an operator. */
function matchText({ words: declared }: Table, { fields, words }: Words): string {
  const sought = words.map((word) => (isBeginning(word) ? `"${word}"*` : `"${word}"`)).join(' AND ');
  const everywhere = declared.every((field) => fields.includes(field));
  return everywhere ? sought : `{${fields.map(quote).join(' ')}} : (${sought})`;
}
