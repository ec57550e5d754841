import type { z } from 'zod';

/** A setting under its name in the API, with the value that holds until somebody sets another. */
export const setting = <Schema extends z.ZodType>(
  schema: Schema,
  fallback: z.output<Schema>,
  description: string,
): Schema => schema.meta({ description, default: fallback });

export const defaultsOf = <Shape extends z.ZodRawShape>(settings: z.ZodObject<Shape>) =>
  Object.fromEntries(
    Object.entries(settings.shape).map(([name, schema]) => [name, (schema as z.ZodType).meta()?.default]),
  ) as z.output<z.ZodObject<Shape>>;
