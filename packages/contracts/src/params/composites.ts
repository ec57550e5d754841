import { decodeParams } from './decode.ts';
import { type Decoded, define, INVALID, type Param, ParamProblem, type Params, scalarText } from './param.ts';
import { isRecord, type RawValue, Repeated, UploadedFile } from './raw.ts';

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
