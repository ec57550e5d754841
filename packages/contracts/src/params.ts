/**
 * Typed parameters. Clients of this API family send the same parameter as query, form, JSON or multipart, as `1`,
 * `True` or `"true"`, as `a,b`, `x[]=a` or `["a","b"]` (companions.md 1.4). A parameter decodes all of these to one
 * type, and has the JSON schema for the reference. ADR 0004 says why zod alone is not enough.
 */

export { file, hash, list, textHash } from './params/composites.ts';
export { decodeParams } from './params/decode.ts';
export { date, datetime } from './params/moments.ts';
export {
  type Decoded,
  described,
  fallback,
  type JsonSchema,
  nullable,
  type Param,
  type Params,
  required,
} from './params/param.ts';
export { isRecord, type RawRecord, type RawValue, Repeated, UploadedFile } from './params/raw.ts';
export { bool, int, intOr, number, oneOf, oneOfInts } from './params/scalars.ts';
export { idOrPath, lines, text, url } from './params/texts.ts';
