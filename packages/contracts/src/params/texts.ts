import { define, INVALID, type Param, ParamProblem, required, scalarText } from './param.ts';

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

/** Text of one or more lines, at most `max` characters, without other control characters than tabs. */
export function lines({ max }: { max: number }): Param<string | undefined> {
  const pattern = '^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]*$';
  const allowed = new RegExp(pattern);
  return define(
    { type: 'string', maxLength: max, pattern },
    (raw) => {
      const value = scalarText(raw);
      if (value.length > max) throw new ParamProblem(`is too long (maximum is ${max} characters)`);
      if (!allowed.test(value)) throw new ParamProblem('must not contain control characters');
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
