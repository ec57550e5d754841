import { define, INVALID, ParamProblem, scalarText } from '../../params/param.ts';
import { isRecord, type RawValue } from '../../params/raw.ts';
import { described, fallback, hash, list, oneOf, required, text } from '../../params.ts';

export interface GivenVariableParam {
  key: string;
  value: string;
  variable_type: 'env_var' | 'file';
}

const MOST = 1000;
const KEY = /^[A-Za-z0-9_]{1,255}$/;
const LONGEST = 64 * 1024;

const variables = list(
  hash({
    key: described(required(text({ max: 255 })), 'Name: letters, digits and `_`'),
    value: described(required(text({ max: LONGEST }), { blank: true }), 'Value'),
    variable_type: described(
      fallback(oneOf('env_var', 'file'), 'env_var'),
      'Whether the variable is the value, or the path of a file with it',
    ),
  }),
  { max: MOST },
);

/** Variables as a list of hashes, `[{"key": …, "value": …}]`, or as one hash, `variables[KEY]=value`. */
export const givenVariables = define<GivenVariableParam[]>(
  variables.schema,
  (raw) => {
    const given = isKeyed(raw) ? keyed(raw) : ((variables.decode(raw) ?? []) as GivenVariableParam[]);
    if (given.length > MOST) throw new ParamProblem(`has too many items (maximum is ${MOST})`);
    if (given.some(({ key, value }) => !KEY.test(key) || value.length > LONGEST))
      throw new ParamProblem(INVALID);
    return given;
  },
  { emptyIsValue: true },
);

const isKeyed = (raw: RawValue): raw is Record<string, RawValue> & object =>
  isRecord(raw) && Object.values(raw).every((value) => !isRecord(value));

const keyed = (raw: Record<string, RawValue>): GivenVariableParam[] =>
  Object.entries(raw).map(([key, value]) => ({ key, value: scalarText(value), variable_type: 'env_var' }));
