import type { JsonTemplate } from './json-template.ts';
import type { RequestArgument, View } from './view.ts';
import {
  type AnyCompute,
  type Code,
  codeOf,
  columnsOf,
  escaped,
  type Instance,
  jsonOf,
  type Writer,
  writeList,
} from './view-code.ts';
import { compile } from './view-compiler.ts';
import type { Choice, Part, StringPart, UnionToIntersection } from './view-types.ts';

/* Members of a view besides columns and constants; see `implementView`. */

type Definition = { columns: readonly string[]; code(instance: Instance): Code };

// The types exist at compile time only.
export const part = <Row, Request, Out>(definition: Definition) => definition as Part<Row, Request, Out>;
export const stringPart = <Row, Request>(definition: Definition) => definition as StringPart<Row, Request>;

/** A constant object, or a text that would be taken for a column. */
export function constant<const T>(value: T): Part<unknown, unknown, T> {
  return part({ columns: [], code: () => [JSON.stringify(value)] });
}

type Arguments<Columns extends readonly string[], Args extends readonly unknown[]> = {
  [I in keyof Columns as I extends `${number}` ? Columns[I] & string : never]: I extends keyof Args
    ? Args[I] | null
    : unknown;
};

type AfterColumns<
  Columns extends readonly unknown[],
  Args extends readonly unknown[],
> = Args extends readonly [...{ [I in keyof Columns]: unknown }, infer Request] ? Request : unknown;

/**
 * A value computed from columns. The function takes their values in order, then the request if it has one more
 * parameter. Only a function that accepts null gets nullable columns.
 */
export function derived<const Columns extends readonly string[], Args extends readonly unknown[], T>(
  columns: Columns,
  compute: (...args: Args) => T,
): Part<Arguments<Columns, Args>, AfterColumns<Columns, Args>, T> {
  return part({ columns, code: () => [{ columns, compute: compute as AnyCompute, write: jsonOf }] });
}

export function unlessNull<const F extends string, Row, Request, Out>(
  column: F,
  member: Part<Row, Request, Out>,
): Part<Row & Record<F, unknown>, Request, Out | null> {
  return part({
    columns: [column, ...member.columns],
    code: (instance) => {
      const write = compile(member.code(instance));
      return [
        (out, row, request) => {
          if (row[column] === null) out.text('null');
          else write(out, row, request);
        },
      ];
    },
  });
}

export function derivedText<const Columns extends readonly string[], Args extends readonly unknown[]>(
  columns: Columns,
  compute: (...args: Args) => string,
): StringPart<Arguments<Columns, Args>, AfterColumns<Columns, Args>> {
  return stringPart({ columns, code: () => [{ columns, compute: compute as AnyCompute, write: escaped }] });
}

type ColumnOrPart = string | StringPart<never, never>;
type TextRow<P> = UnionToIntersection<
  P extends string ? Record<P, string | number | null> : P extends StringPart<infer Row, never> ? Row : never
>;
type TextRequest<P> = UnionToIntersection<P extends StringPart<never, infer Request> ? Request : unknown>;

/** A text with columns, the host and placeholders: text`${host}/${projectPath('projectId')}/-/issues/${'iid'}` */
export function text<const P extends readonly ColumnOrPart[]>(
  literals: TemplateStringsArray,
  ...parts: P
): Part<TextRow<P[number]>, TextRequest<P[number]>, string> {
  return part({
    columns: parts.flatMap((one) => (typeof one === 'string' ? [one] : one.columns)),
    code: (instance) => [
      '"',
      ...literals.flatMap((literal, at) => {
        const one = parts[at];
        if (one === undefined) return [escaped(literal)];
        return [escaped(literal), ...(typeof one === 'string' ? columnText(one) : one.code(instance))];
      }),
      '"',
    ],
  });
}

const columnText = (column: string): Code => [{ columns: [column], write: textOf }];
const textOf = (value: unknown): string => (typeof value === 'string' ? escaped(value) : `${value}`);

export const hostname: StringPart<unknown, unknown> = stringPart({
  columns: [],
  code: (instance) => [escaped(new URL(instance.host || 'http://localhost').hostname)],
});

/** The external URL of the instance, without a trailing slash. */
export const host: StringPart<unknown, unknown> = stringPart({
  columns: [],
  code: (instance) => [instance.host],
});

export function choose<Request, const A, const B>(
  asked: (request: Request) => boolean,
  member: A,
  other: B,
): Choice<A | B, Request> {
  return {
    columns: [...columnsOf(member), ...columnsOf(other)],
    code: (instance: Instance) => [choosing(asked, codeOf(member, instance), codeOf(other, instance))],
  } as unknown as Choice<A | B, Request>;
}

export function choosing(asked: (request: never) => boolean, yes: Code, no: Code): Writer {
  const [writeYes, writeNo] = [compile(yes), compile(no)];
  return (out, row, request) => (asked(request as never) ? writeYes : writeNo)(out, row, request);
}

/** A value that comes with the row besides its columns, such as the caller's rights. */
export function given<Row, T, Request = unknown>(
  read: (row: Row, request: Request) => T,
): Part<Row, Request, T> {
  return part({ columns: [], code: () => [(out, row, request) => out.text(jsonOf(read(row, request)))] });
}

export function made<T, Row, Request>(
  read: (row: Row, request: Request) => string | JsonTemplate,
): Part<Row, Request, T> {
  return part({ columns: [], code: () => [(out, row, request) => out.add(read(row, request))] });
}

export function nested<Inner, Asked, Out, Row>(
  view: View<Inner, Asked, Out>,
  read: (row: Row) => Inner | null | undefined,
  ...[request]: RequestArgument<Asked>
): Part<Row, unknown, Out> {
  return part({
    columns: [],
    code: (instance) => {
      const write = compile(view.code(instance));
      return [
        (out, row) => {
          const inner = read(row);
          if (inner == null) out.text('null');
          else write(out, inner, request);
        },
      ];
    },
  });
}

export function nestedList<Inner, Asked, Out, Row>(
  view: View<Inner, Asked, Out>,
  read: (row: Row) => readonly Inner[],
  ...[request]: RequestArgument<Asked>
): Part<Row, unknown, Out[]> {
  return part({
    columns: [],
    code: (instance) => {
      const write = compile(view.code(instance));
      return [(out, row) => writeList(write, out, read(row), request)];
    },
  });
}
