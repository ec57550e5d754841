/**
 * Typed parameters. Clients of this API family send the same parameter as query, form, JSON or multipart, as `1`,
 * `True` or `"true"`, as `a,b`, `x[]=a` or `["a","b"]` (companions.md 1.4). A parameter decodes all of these to one
 * type, and has the JSON schema for the reference. ADR 0004 says why zod alone is not enough.
 */

/** A parameter before decoding; objects have no prototype. */
export type RawValue = string | number | boolean | null | RawValue[] | RawRecord | UploadedFile;
export interface RawRecord {
  [name: string]: RawValue;
}

/** A file of a multipart body, in memory up to the endpoint's body limit. */
export class UploadedFile {
  readonly filename: string;
  readonly mediaType: string;
  readonly content: Buffer;

  constructor(filename: string, mediaType: string, content: Buffer) {
    this.filename = filename;
    this.mediaType = mediaType;
    this.content = content;
  }
}

/**
 * The values of a repeated plain name (`x=a&x=b`). A list takes all of them, any other parameter the last one, as
 * stock servers do. python-gitlab 2 repeats parameters when it follows a `next` link.
 */
export class Repeated extends Array<RawValue> {}

export type JsonSchema = Record<string, unknown>;

export interface Param<T> {
  /** Exists only as a type: the decoder's result. */
  readonly T?: T;
  readonly presence: 'optional' | 'required' | 'fallback';
  readonly fallback?: T;
  readonly schema: JsonSchema;
  /** Whether null, or an empty string that is not a value, decodes to null. */
  readonly nullable: boolean;
  /** Whether an empty string is a value. */
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

const INVALID = 'is invalid';

function define<T>(
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

function scalarText(raw: RawValue): string {
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

/** Text without NUL, at most `max` characters (1 MiB by default). */
export function text(options: { max?: number } = {}): Param<string | undefined> {
  const max = options.max ?? 1_048_576;
  return define(
    { type: 'string', maxLength: max },
    (raw) => {
      const value = scalarText(raw);
      if (value.length > max) throw new ParamProblem(`is too long (maximum is ${max} characters)`);
      if (value.includes('\0')) throw new ParamProblem(INVALID);
      return value;
    },
    { emptyIsValue: true },
  );
}

/**
 * Controls, invisible characters and spaces: browsers drop some of them and follow the rest. Some read `\\` as `/`.
 */
const NEVER_IN_ADDRESS = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\\]/u;

/**
 * A URL, unchanged: `scheme://host…` with one of `schemes` (by default http and https), at most `max` characters (by
 * default 2048), without credentials. An `ssh:` URL may have a login name. With `clearable` an empty string clears
 * the value.
 */
export function url(
  options: { schemes?: readonly string[]; max?: number; clearable?: boolean } = {},
): Param<string | undefined> {
  const { schemes = ['http', 'https'], max = 2048, clearable = false } = options;
  return define(
    { type: 'string', format: 'uri', maxLength: max },
    (raw) => {
      const value = scalarText(raw);
      if (value === '') return value;
      if (value.length > max) throw new ParamProblem(`is too long (maximum is ${max} characters)`);
      const address = NEVER_IN_ADDRESS.test(value) ? null : URL.parse(value);
      if (!address) throw new ParamProblem('must be a valid URL');
      if (!schemes.includes(address.protocol.slice(0, -1)))
        throw new ParamProblem(`is blocked: Only allowed schemes are ${schemes.join(', ')}`);
      if (!/^[a-z]+:\/\//i.test(value) || address.host === '') throw new ParamProblem('must be a valid URL');
      if (address.password !== '' || (address.username !== '' && address.protocol !== 'ssh:'))
        throw new ParamProblem('must not contain a user name or password');
      return value;
    },
    { emptyIsValue: clearable },
  );
}

/** A decimal integer within ±2^53. */
export function int(bounds: { min?: number; max?: number } = {}): Param<number | undefined> {
  const min = bounds.min ?? -Number.MAX_SAFE_INTEGER;
  const max = bounds.max ?? Number.MAX_SAFE_INTEGER;
  return define({ type: 'integer', minimum: min, maximum: max }, (raw) => {
    const value =
      typeof raw === 'number' ? raw : /^-?\d{1,16}$/.test(scalarText(raw)) ? Number(raw) : Number.NaN;
    if (!Number.isSafeInteger(value)) throw new ParamProblem(INVALID);
    if (value < min || value > max) throw new ParamProblem('has a value not allowed');
    return value;
  });
}

const TRUE = new Set(['true', 't', '1', 'on', 'yes']);
const FALSE = new Set(['false', 'f', '0', 'off', 'no']);

/** `true`, `True`, `t`, `1`, `on`, `yes` and their counterparts. */
export function bool(): Param<boolean | undefined> {
  return define({ type: 'boolean' }, (raw) => {
    const value = scalarText(raw).toLowerCase();
    if (TRUE.has(value)) return true;
    if (FALSE.has(value)) return false;
    throw new ParamProblem(INVALID);
  });
}

export function oneOf<const Values extends readonly string[]>(
  ...values: Values
): Param<Values[number] | undefined> {
  return define<Values[number]>({ type: 'string', enum: values }, (raw) => {
    const value = scalarText(raw);
    if (!values.includes(value)) throw new ParamProblem('does not have a valid value');
    return value;
  });
}

export function oneOfInts<const Values extends readonly number[]>(
  ...values: Values
): Param<Values[number] | undefined> {
  const whole = int();
  return define<Values[number]>({ type: 'integer', enum: values }, (raw) => {
    const value = whole.decode(raw) as number;
    if (!values.includes(value)) throw new ParamProblem('does not have a valid value');
    return value;
  });
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATETIME =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s?(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i;

function isCalendarDay(text: string): boolean {
  const match = DATE.exec(text);
  if (!match) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.getUTCDate() === Number(match[3]);
}

/** A calendar day with a time, in ISO 8601. @throws ParamProblem for any other text */
function moment(raw: RawValue): { day: string; time: Date } {
  // An unencoded `+` of a zone offset arrives as a space.
  const value = scalarText(raw).replace(/ (\d{2}:?\d{2})$/, (whole, zone, at) =>
    at > 13 ? `+${zone}` : whole,
  );
  const [, day, clock = '00:00', offset] = DATETIME.exec(value) ?? [];
  if (day === undefined || !isCalendarDay(day)) throw new ParamProblem(INVALID);
  const zone = !offset || /^(z|utc)$/i.test(offset) ? 'Z' : offset.replace(/^(.\d{2}):?(\d{2})$/, '$1:$2');
  const time = new Date(`${day}T${clock.length === 5 ? `${clock}:00` : clock}${zone}`);
  if (Number.isNaN(time.getTime())) throw new ParamProblem(INVALID);
  return { day, time };
}

/**
 * An existing day, `YYYY-MM-DD`. A timestamp counts as the day in its own zone: upstream parses it so, and clients
 * that send only timestamps depend on it.
 */
export function date(): Param<string | undefined> {
  return define({ type: 'string', format: 'date' }, (raw) => moment(raw).day);
}

/** A time in ISO 8601, normalised to UTC with milliseconds; a day means its first moment. */
export function datetime(): Param<string | undefined> {
  return define({ type: 'string', format: 'date-time' }, (raw) => {
    const utc = moment(raw).time.toISOString();
    // A zone offset can leave the four-digit years, and such a text would sort wrongly.
    if (!DATETIME.test(utc)) throw new ParamProblem(INVALID);
    return utc;
  });
}

/** A list: `["a","b"]`, `x[]=a&x[]=b`, `x[0]=a`, `x=a&x=b` or `x=a,b`; at most `max` items. */
export function list<T>(item: Param<T | undefined>, options: { max?: number } = {}): Param<T[] | undefined> {
  const max = options.max ?? 1000;
  return define<T[]>(
    { type: 'array', items: item.schema, maxItems: max },
    (raw) => {
      const values = rawItems(raw, item.schema.type !== 'object');
      if (values.length > max) throw new ParamProblem(`has too many items (maximum is ${max})`);
      return values.map((value) => {
        if (value === null) throw new ParamProblem(INVALID);
        return item.decode(value) as T;
      });
    },
    { emptyIsValue: true },
  );
}

function rawItems(raw: RawValue, splitsText: boolean): RawValue[] {
  if (Array.isArray(raw)) {
    if (raw instanceof Repeated) return Array.from(raw).flatMap((value) => rawItems(value, splitsText));
    // `x[]=` alone is the empty list in forms and queries.
    return raw.length === 1 && raw[0] === '' ? [] : raw;
  }
  if (typeof raw === 'string' && splitsText) {
    return raw === ''
      ? []
      : raw
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== '');
  }
  if (typeof raw === 'number' || typeof raw === 'boolean') return [raw];
  if (isRecord(raw)) {
    const keys = Object.keys(raw);
    if (keys.every((key) => /^\d{1,6}$/.test(key))) {
      return keys.sort((a, b) => Number(a) - Number(b)).map((key) => raw[key]!);
    }
    return splitsText ? invalid() : [raw];
  }
  return invalid();
}

function invalid(): never {
  throw new ParamProblem(INVALID);
}

export function isRecord(raw: RawValue | undefined): raw is RawRecord {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) && !(raw instanceof UploadedFile);
}

/** A hash with known members: `not[labels]=x`. Unknown members are ignored. */
export function hash<const P extends Params>(members: P): Param<Decoded<P> | undefined> {
  const properties = Object.fromEntries(Object.entries(members).map(([name, param]) => [name, param.schema]));
  const mandatory = Object.keys(members).filter((name) => members[name]!.presence === 'required');
  return define<Decoded<P>>(
    { type: 'object', properties, ...(mandatory.length > 0 ? { required: mandatory } : {}) },
    (raw) => {
      if (!isRecord(raw)) throw new ParamProblem(INVALID);
      const problems: string[] = [];
      const decoded = decodeParams(members, raw, problems);
      if (problems.length > 0) throw new ParamProblem(`${INVALID} (${problems.join(', ')})`);
      return decoded;
    },
  );
}

/** A hash with free names and text values: `custom_attributes[key]=value`. */
export function textHash(): Param<Record<string, string> | undefined> {
  return define<Record<string, string>>(
    { type: 'object', additionalProperties: { type: 'string' }, propertyNames: { pattern: '^[^\\[\\]]+$' } },
    (raw) => {
      if (!isRecord(raw)) throw new ParamProblem(INVALID);
      return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, scalarText(value)]));
    },
  );
}

export function file(): Param<UploadedFile | undefined> {
  return define({ type: 'string', format: 'binary' }, (raw) => {
    if (!(raw instanceof UploadedFile)) throw new ParamProblem(INVALID);
    return raw;
  });
}

/** An integer or one of some words, in any case: `assignee_id` accepts an id, `None` and `Any`. */
export function intOr<const Words extends readonly string[]>(
  ...words: Words
): Param<number | Words[number] | undefined> {
  const whole = int();
  return define<number | Words[number]>({ anyOf: [whole.schema, { type: 'string', enum: words }] }, (raw) => {
    const given = scalarText(raw).toLowerCase();
    const word = words.find((candidate) => candidate.toLowerCase() === given);
    return word ?? (whole.decode(raw) as number);
  });
}

/** The id or the URL-encoded full path of a project or group [L22]. */
export function idOrPath(): Param<string> {
  return required(
    define({ anyOf: [{ type: 'integer' }, { type: 'string', minLength: 1, maxLength: 4096 }] }, (raw) => {
      const value = scalarText(raw);
      if (value.length > 4096 || value.includes('\0')) throw new ParamProblem(INVALID);
      return value;
    }),
  );
}

function lastUnlessList(param: Param<unknown>, raw: RawValue | undefined): RawValue | undefined {
  return raw instanceof Repeated && param.schema.type !== 'array' ? raw.at(-1) : raw;
}

/** Decodes the parameters in `params` and ignores others; adds errors to `problems`. */
export function decodeParams<P extends Params>(params: P, raw: RawRecord, problems: string[]): Decoded<P> {
  const decoded: Record<string, unknown> = {};
  for (const name in params) {
    const param = params[name]!;
    const value = lastUnlessList(param, raw[name]);
    const empty = value === '' && !param.emptyIsValue;
    if (value === undefined || value === null || empty) {
      if (value !== undefined && param.nullable) decoded[name] = null;
      else if (param.presence === 'fallback') decoded[name] = param.fallback;
      else if (param.presence === 'required') problems.push(`${name} is ${empty ? 'empty' : 'missing'}`);
      continue;
    }
    if (value === '' && param.presence === 'required' && !param.nullable) {
      // A mandatory text may be empty where the endpoint refuses that itself.
      decoded[name] = value;
      continue;
    }
    try {
      decoded[name] = param.decode(value);
    } catch (error) {
      if (!(error instanceof ParamProblem)) throw error;
      problems.push(`${name} ${error.message}`);
    }
  }
  return decoded as Decoded<P>;
}
