import type { Code, Instance } from './view-code.ts';

/* Types that check the members of a view against its schema. */

declare const types: unique symbol;
declare const choice: unique symbol;
declare const optional: unique symbol;

export interface Part<Row, Request, Out> {
  readonly columns: readonly string[];
  code(instance: Instance): Code;
  readonly [types]: (row: Row, request: Request) => Out;
}

/** Content of a JSON string, for use within a `text`. */
export interface StringPart<Row, Request> {
  readonly columns: readonly string[];
  code(instance: Instance): Code;
  readonly [types]: (row: Row, request: Request) => 'within a text';
}

export interface Choice<M, Request> {
  readonly columns: readonly string[];
  code(instance: Instance): Code;
  readonly [choice]: (request: Request) => M;
}

export interface Optional<M, Request> {
  readonly columns: readonly string[];
  /** @param name the member's name as JSON, after its comma */
  member(name: string, instance: Instance): Code;
  readonly [optional]: (request: Request) => M;
}

/** Contracts restrict texts and numbers further than columns; the tests of the endpoints check this. */
type Widened<T> = T extends readonly (infer E)[] ? readonly WidenedScalar<E>[] : WidenedScalar<T>;
type WidenedScalar<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends boolean
      ? boolean
      : T;

/** A nullable column may fill a member that is not: the projection guarantees the value. */
type ColumnFor<Row, Out> = {
  [F in keyof Row & string]: NonNullable<Row[F]> extends Widened<NonNullable<Out>> ? F : never;
}[keyof Row & string];

type Constant<Out> =
  | Extract<Out, null | number | boolean>
  | (Out extends readonly unknown[] ? readonly never[] : never);

/** A column's name, a constant, a part, or nested members. */
export type Member<Row, Request, Out> =
  | ColumnFor<Row, Out>
  | Constant<Out>
  | Part<Row, Request, Widened<Out>>
  | Choice<Member<Row, Request, Out>, Request>
  | Nested<Row, Request, Out>;

type Nested<Row, Request, Out> = Out extends readonly unknown[] | string | number | boolean | null
  ? never
  : string extends keyof Out
    ? never
    : Members<Row, Request, Out>;

export type Members<Row, Request, Out> = {
  readonly [K in keyof Out]-?: undefined extends Out[K]
    ? OptionalMember<Row, Request, Exclude<Out[K], undefined>>
    : Member<Row, Request, Out[K]>;
};

type OptionalMember<Row, Request, Out> =
  | Member<Row, Request, Out>
  | Optional<Member<Row, Request, Out>, Request>;

export type UnionToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (
  all: infer I,
) => void
  ? I
  : never;
