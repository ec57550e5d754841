import type { JsonSchema } from '../params.ts';
import { PERSONAL } from '../personal-data.ts';

/** A schema without what only people read. Two events with equal shapes are read by the same program. */
export type Shape = JsonSchema;

const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', PERSONAL]);

export function shapeOf(schema: JsonSchema): Shape {
  const kept = Object.entries(schema).filter(([keyword]) => !ANNOTATIONS.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (keyword === 'properties')
        return [keyword, mapValues(value as JsonSchema, (each) => shapeOf(each as JsonSchema))];
      if (Array.isArray(value) && VARIANTS.includes(keyword)) return [keyword, value.map(shapeOf)];
      return [keyword, isSchema(value) ? shapeOf(value) : value];
    }),
  );
}

const VARIANTS = ['anyOf', 'oneOf', 'allOf'];

const mapValues = (record: JsonSchema, map: (value: unknown) => unknown): JsonSchema =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a value may be: one shape for each of its types. */
export function variantsOf(shape: Shape): Shape[] {
  const variants = (shape.anyOf ?? shape.oneOf) as Shape[] | undefined;
  if (variants) return variants.flatMap(variantsOf);
  return Array.isArray(shape.type) ? shape.type.map((type) => ({ ...shape, type })) : [shape];
}

export const fieldsOf = (shape: Shape): Readonly<Record<string, Shape>> =>
  (shape.properties ?? {}) as Record<string, Shape>;

/** The only values that there may be, where a shape names them. */
export const valuesOf = ({ enum: values, const: value }: Shape): unknown[] | undefined =>
  (values as unknown[] | undefined) ?? (value === undefined ? undefined : [value]);

/** A value without the fields that the shape does not name. */
export function pruned(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) {
    const items = variantsOf(shape).find(({ type }) => type === 'array')?.items as Shape | undefined;
    return items ? value.map((each) => pruned(each, items)) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = variantsOf(shape).find(({ properties }) => properties !== undefined);
  if (!fields) return value;
  const known = fieldsOf(fields);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (known[name] ? [[name, pruned(each, known[name])]] : [])),
  );
}
