import type { Tier } from '@forgelog/contracts/endpoint.ts';
import type { JsonTemplate } from './json-template.ts';
import { codeOf, columnsOf, type Instance, jsonOf } from './view-code.ts';
import { compile } from './view-compiler.ts';
import { choosing } from './view-parts.ts';
import type { Optional, Part } from './view-types.ts';

/* Members that some answers leave out. */

/** A member that exists from this edition on. */
export function tier<const M>(least: Exclude<Tier, 'free'>, member: M): Optional<M, unknown> {
  const exists = (edition: Tier) => edition === 'ultimate' || edition === least;
  return {
    columns: columnsOf(member),
    member: (name: string, instance: Instance) =>
      exists(instance.edition) ? [name, ...codeOf(member, instance)] : [],
  } as unknown as Optional<M, unknown>;
}

/** A member that is present if the request asks for it. */
export function when<Request, const M>(
  asked: (request: Request) => boolean,
  member: M,
): Optional<M, Request> {
  return {
    columns: columnsOf(member),
    member: (name: string, instance: Instance) => [choosing(asked, [name, ...codeOf(member, instance)], [])],
  } as unknown as Optional<M, Request>;
}

/** A member that is present if the column is not null. */
export function ifPresent<const F extends string>(column: F): Optional<F, unknown> {
  return {
    columns: [column],
    member: (name: string) => [
      { columns: [column], write: (value: unknown) => (value === null ? '' : name + jsonOf(value)) },
    ],
  } as unknown as Optional<F, unknown>;
}

/** A member that rows have where the column is true. */
export function ifTrue<const M>(column: string, member: M): Optional<M, unknown> {
  return {
    columns: [column, ...columnsOf(member)],
    member: (name: string, instance: Instance) => {
      const write = compile([name, ...codeOf(member, instance)]);
      return [
        (out: JsonTemplate, row: Record<string, unknown>, request: unknown) => {
          if (row[column] === true) write(out, row, request);
        },
      ];
    },
  } as unknown as Optional<M, unknown>;
}

/** A member that this version never has. */
export const absent = { columns: [], member: () => [] } as unknown as Optional<never, unknown>;

/** A member whose value comes with the row or the request; absent when that is undefined. */
export function ifGiven<Row, T, Request = unknown>(
  read: (row: Row, request: Request) => T,
): Optional<Part<Row, Request, Exclude<T, undefined>>, Request> {
  return {
    columns: [],
    member: (name: string) => [
      (out: JsonTemplate, row: Row, request: Request) => {
        const value = read(row, request);
        if (value !== undefined) out.text(name + jsonOf(value));
      },
    ],
  } as unknown as Optional<Part<Row, Request, Exclude<T, undefined>>, Request>;
}

/** A member whose JSON comes with the row; absent when that is undefined. */
export function ifMade<T, Row, Request>(
  read: (row: Row, request: Request) => JsonTemplate | undefined,
): Optional<Part<Row, Request, T>, Request> {
  return {
    columns: [],
    member: (name: string) => [
      (out: JsonTemplate, row: Row, request: Request) => {
        const value = read(row, request);
        if (value === undefined) return;
        out.text(name);
        out.add(value);
      },
    ],
  } as unknown as Optional<Part<Row, Request, T>, Request>;
}
