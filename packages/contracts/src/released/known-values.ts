import { fieldsOf, type Shape, valuesOf, variantsOf } from './shape.ts';

const UNKNOWN = Symbol('unknown');

/**
 * Data without the entries of lists that have, at one of the paths, a value that the shape does not name. Undefined where
 * such a value is in no list.
 */
export function withKnownValues(data: unknown, shape: Shape, paths: readonly string[]): unknown {
  if (paths.length === 0) return data;
  const known = knownPart(data, [shape], paths, '');
  return known === UNKNOWN ? undefined : known;
}

function knownPart(value: unknown, shapes: readonly Shape[], paths: readonly string[], at: string): unknown {
  const variants = shapes.flatMap(variantsOf);
  if (Array.isArray(value)) {
    const items = variants.flatMap(itemsOf);
    return value.map((each) => knownPart(each, items, paths, `${at}[]`)).filter((each) => each !== UNKNOWN);
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, each]) => {
      const fields = variants.flatMap((variant): Shape[] => {
        const field = fieldsOf(variant)[name];
        return field ? [field] : [];
      });
      return [name, knownPart(each, fields, paths, at ? `${at}.${name}` : name)] as const;
    });
    return entries.some(([, each]) => each === UNKNOWN) ? UNKNOWN : Object.fromEntries(entries);
  }
  // A field that the shape does not have is left out later.
  const isKnown = variants.length === 0 || variants.some((variant) => isOneOf(value, variant));
  return paths.includes(at) && !isKnown ? UNKNOWN : value;
}

const itemsOf = ({ items }: Shape): Shape[] => (items ? [items as Shape] : []);

const isOneOf = (value: unknown, variant: Shape): boolean =>
  valuesOf(variant)?.includes(value) ?? (variant.type === undefined || typesOf(value).includes(variant.type));

function typesOf(value: unknown): unknown[] {
  if (value === null) return ['null'];
  return typeof value === 'number' ? ['number', 'integer'] : [typeof value];
}
