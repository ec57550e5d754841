import { type Decoded, type Param, ParamProblem, type Params } from './param.ts';
import { type RawRecord, type RawValue, Repeated } from './raw.ts';

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
