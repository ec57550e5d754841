import type { Tier } from '@forgelog/contracts/endpoint.ts';
import type { JsonTemplate } from './json-template.ts';

/** What a view is compiled to: literal JSON, and what writes the parts that differ from row to row. */
export type Code = readonly (string | Writer)[];

// biome-ignore lint/suspicious/noExplicitAny: the types of rows and requests are checked where the view is declared.
export type Writer = (out: JsonTemplate, row: any, request: any) => void;

/** What differs between instances and not between requests. */
export interface Instance {
  edition: Tier;
  /** The external address as JSON text holds it, without a slash at the end. */
  host: string;
}

export function run(code: Code, out: JsonTemplate, row: unknown, request: unknown): void {
  for (const step of code) {
    if (typeof step === 'string') out.text(step);
    else step(out, row, request);
  }
}

export function runList(code: Code, out: JsonTemplate, rows: readonly unknown[], request: unknown): void {
  let between = '[';
  for (const row of rows) {
    out.text(between);
    between = ',';
    run(code, out, row, request);
  }
  out.text(rows.length === 0 ? '[]' : ']');
}

/* A member as it is declared: its type is checked there. */

interface Compiled {
  columns: readonly string[];
  code(instance: Instance): Code;
}
interface Named {
  columns: readonly string[];
  member(name: string, instance: Instance): Code;
}
type AnyMembers = Readonly<Record<string, unknown>>;

const isCompiled = (member: object): member is Compiled =>
  'code' in member && typeof member.code === 'function';
const isNamed = (member: object): member is Named =>
  'member' in member && typeof member.member === 'function';

export function codeOf(member: unknown, instance: Instance): Code {
  if (typeof member === 'string') return [(out, row) => out.text(jsonOf(row[member]))];
  if (member === null || typeof member !== 'object' || Array.isArray(member)) return [JSON.stringify(member)];
  return isCompiled(member) ? member.code(instance) : objectCode(member as AnyMembers, instance);
}

/** @throws Error where the first member is one that may be absent: the comma belongs to those that follow */
function objectCode(members: AnyMembers, instance: Instance): Code {
  const code: (string | Writer)[] = [];
  for (const [at, [name, member]] of Object.entries(members).entries()) {
    const begin = `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    if (typeof member === 'object' && member !== null && isNamed(member)) {
      if (at === 0) throw new Error(`member "${name}" is not always there, so it cannot be the first`);
      code.push(...member.member(begin, instance));
    } else code.push(begin, ...codeOf(member, instance));
  }
  return [...code, '}'];
}

export function columnsOf(member: unknown): string[] {
  if (typeof member === 'string') return [member];
  if (member === null || typeof member !== 'object') return [];
  if (isCompiled(member) || isNamed(member)) return [...member.columns];
  return Object.values(member).flatMap(columnsOf);
}

/** The same code with neighbouring literals in one. */
export function joined(code: Code): Code {
  const result: (string | Writer)[] = [];
  for (const step of code) {
    const last = result.at(-1);
    if (typeof step === 'string' && typeof last === 'string') result[result.length - 1] = last + step;
    else result.push(step);
  }
  return result;
}

/** The JSON of a value of a row. */
export function jsonOf(value: unknown): string {
  switch (typeof value) {
    case 'number':
    case 'boolean':
      return `${value}`;
    default:
      return value === null ? 'null' : JSON.stringify(value);
  }
}

/** The content of a JSON string, without its quotes. */
export const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
