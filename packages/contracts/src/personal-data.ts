import { z } from 'zod';
import type { EventDefinition } from './event.ts';
import type { JsonSchema } from './params.ts';

/** The keyword of a schema whose values may tell of a person. */
export const PERSONAL = 'x-personal-data';

/** Marks a field of an event, with all that is in it, as personal data: for erasure, and for whoever stores the feed. */
export const personal = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.meta({ [PERSONAL]: true });

/** Paths (`changes.profile`) in the data of an event of the fields that are marked, the outermost ones. */
export function personalData({ schema }: Pick<EventDefinition, 'schema'>): string[] {
  return [...new Set(markedBelow(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }), ''))];
}

function markedBelow(schema: JsonSchema, path: string): string[] {
  if (schema[PERSONAL] === true) return [path];
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    markedBelow(field as JsonSchema, path === '' ? name : `${path}.${name}`),
  );
  const variants = [schema.anyOf, schema.items].flat().filter((variant) => variant !== undefined);
  return [...fields, ...variants.flatMap((variant) => markedBelow(variant as JsonSchema, path))];
}
