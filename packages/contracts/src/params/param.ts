import type { RawValue } from './raw.ts';

export type JsonSchema = Record<string, unknown>;

export interface Param<T> {
  /** Exists only as a type: the decoder's result. */
  readonly T?: T;
  readonly presence: 'optional' | 'required' | 'fallback';
  readonly fallback?: T;
  readonly schema: JsonSchema;
  /** Whether null, or an empty string that is not a value, decodes to null. */
  readonly nullable: boolean;
  readonly emptyIsValue: boolean;
  /** @throws ParamProblem */
  decode(raw: RawValue): T;
}

export type Params = Readonly<Record<string, Param<unknown>>>;
export type Decoded<P extends Params> = { [K in keyof P]: P[K] extends Param<infer T> ? T : never };

/** The problem of one parameter, to follow its name: `is invalid`. */
export class ParamProblem extends Error {
  override readonly name = 'ParamProblem';
}

export const INVALID = 'is invalid';

/** A parameter that may be absent. */
export function define<T>(
  schema: JsonSchema,
  decode: (raw: RawValue) => T,
  options: { emptyIsValue?: boolean } = {},
): Param<T | undefined> {
  return {
    presence: 'optional',
    nullable: false,
    emptyIsValue: options.emptyIsValue ?? false,
    schema,
    decode,
  };
}

/** @throws ParamProblem for a list, a hash or a file */
export function scalarText(raw: RawValue): string {
  if (typeof raw === 'string') return raw;
  if (typeof raw === 'number' || typeof raw === 'boolean') return String(raw);
  throw new ParamProblem(INVALID);
}

/**
 * Makes a parameter mandatory. The endpoint itself refuses an empty text, with its own message; with `blank` an empty
 * text is a value.
 */
export function required<T>(
  param: Param<T>,
  options: { blank?: boolean } = {},
): Param<Exclude<T, undefined>> {
  const schema =
    param.emptyIsValue && !options.blank ? { ...atLeastOne(param.schema), ...param.schema } : param.schema;
  return { ...(param as Param<Exclude<T, undefined>>), presence: 'required', schema };
}

const atLeastOne = ({ type }: JsonSchema): JsonSchema => (type === 'array' ? {} : { minLength: 1 });

/** Gives a parameter a default. */
export function fallback<T>(param: Param<T>, value: Exclude<T, undefined>): Param<Exclude<T, undefined>> {
  return {
    ...(param as Param<Exclude<T, undefined>>),
    presence: 'fallback',
    fallback: value,
    schema: { ...param.schema, default: value },
  };
}

/** Accepts null, which clears the value. */
export function nullable<T>(param: Param<T>): Param<T | null> {
  return { ...(param as Param<T | null>), nullable: true, schema: { ...param.schema, nullable: true } };
}

/**
 * Adds the description for the reference.
 * @param bounds the endpoint's further restrictions, which it checks itself, as JSON schema
 */
export function described<T>(param: Param<T>, description: string, bounds: JsonSchema = {}): Param<T> {
  return { ...param, schema: { ...param.schema, ...bounds, description } };
}
