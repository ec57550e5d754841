import type { Tier } from '@forgelog/contracts/endpoint.ts';
import type { JsonTemplate } from './json-template.ts';

/** A view in steps: literal JSON, and parts that differ between rows. `compile` turns them into a function. */
export type Code = readonly Step[];
type Step = string | Value | Put | Writer;

/** Text that `compute` makes of columns and the request, or the value of the one column. */
export interface Value {
  columns: readonly string[];
  compute?: AnyCompute;
  // biome-ignore lint/suspicious/noExplicitAny: it fits what `compute` gives.
  write(value: any): string;
}

export interface Put {
  column: string;
  // biome-ignore lint/suspicious/noExplicitAny: columns are checked where the view is declared.
  put(out: JsonTemplate, value: any): void;
}

// biome-ignore lint/suspicious/noExplicitAny: the types of rows and requests are checked where the view is declared.
export type Writer = (out: JsonTemplate, row: any, request: any) => void;
// biome-ignore lint/suspicious/noExplicitAny: the arguments are checked where the part is declared.
export type AnyCompute = (...args: any) => any;

export interface Instance {
  edition: Tier;
  host: string;
}

export function writeList(
  write: Writer,
  out: JsonTemplate,
  rows: readonly unknown[],
  request: unknown,
): void {
  let between = '[';
  for (const row of rows) {
    out.text(between);
    between = ',';
    write(out, row, request);
  }
  out.text(rows.length === 0 ? '[]' : ']');
}

/* A member as declared; its type is checked there. */

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
  if (typeof member === 'string') return [{ columns: [member], write: jsonOf }];
  if (member === null || typeof member !== 'object' || Array.isArray(member)) return [JSON.stringify(member)];
  return isCompiled(member) ? member.code(instance) : objectCode(member as AnyMembers, instance);
}

/** @throws Error when the first member may be absent, because commas are part of the members that follow */
function objectCode(members: AnyMembers, instance: Instance): Code {
  const code: Step[] = [];
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

export function jsonOf(value: unknown): string {
  switch (typeof value) {
    case 'number':
    case 'boolean':
      return `${value}`;
    default:
      return value === null ? 'null' : JSON.stringify(value);
  }
}

/** The content of a JSON string without its quotes. */
export const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
