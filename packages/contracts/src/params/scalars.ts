import { define, INVALID, type Param, ParamProblem, scalarText } from './param.ts';

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

/** A number, in decimals or with an exponent. */
export function number(bounds: { min: number; max: number }): Param<number | undefined> {
  const { min, max } = bounds;
  return define({ type: 'number', minimum: min, maximum: max }, (raw) => {
    const text = typeof raw === 'number' ? '0' : scalarText(raw);
    const value = /^-?\d{1,16}(\.\d{1,16})?(e[+-]?\d{1,2})?$/i.test(text) ? Number(raw) : Number.NaN;
    if (!Number.isFinite(value)) throw new ParamProblem(INVALID);
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
