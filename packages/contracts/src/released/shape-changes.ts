import { fieldsOf, type Shape, valuesOf, variantsOf } from './shape.ts';

/**
 * Why a program that reads `old` cannot read what has the shape `now`, with the path of each reason. Added fields are no
 * reason, because they are left out for it; nor are added values at the paths in `growing`.
 */
export function obstacles(old: Shape, now: Shape, growing: readonly string[] = [], at = ''): string[] {
  const known = variantsOf(old);
  return variantsOf(now).flatMap((variant) => {
    const tries = known.map((each) => misfits(each, variant, growing, at));
    if (tries.some((reasons) => reasons.length === 0)) return [];
    const near = known.findIndex(({ type }) => type === variant.type);
    return tries[near] ?? [`${at || 'data'} may be ${variant.type ?? JSON.stringify(variant)}`];
  });
}

function misfits(old: Shape, now: Shape, growing: readonly string[], at: string): string[] {
  if (Object.keys(old).length === 0) return [];
  const reasons: string[] = [];
  const name = at || 'data';
  if (old.type !== now.type && !(old.type === 'number' && now.type === 'integer'))
    reasons.push(`${name} may be ${now.type}`);
  const values = valuesOf(old);
  if (values) {
    const added = valuesOf(now)?.filter((value) => !values.includes(value));
    if (!added) reasons.push(`${name} may be any ${now.type}`);
    else if (added.length > 0 && !growing.includes(at))
      reasons.push(`${name} may be ${added.map((value) => `\`${value}\``).join(', ')}`);
  }
  for (const keyword of BOUNDS)
    if (keyword in old && old[keyword] !== now[keyword]) reasons.push(`${name} has another ${keyword}`);
  if (old.items && now.items)
    reasons.push(...obstacles(old.items as Shape, now.items as Shape, growing, `${at}[]`));
  return [...reasons, ...missingFields(old, now, growing, at)];
}

const BOUNDS = ['pattern', 'format', 'minimum', 'maximum', 'minLength', 'maxLength'];

const requiredOf = ({ required = [] }: Shape) => required as string[];

function missingFields(old: Shape, now: Shape, growing: readonly string[], at: string): string[] {
  const fields = fieldsOf(now);
  return Object.entries(fieldsOf(old)).flatMap(([name, field]) => {
    const path = at ? `${at}.${name}` : name;
    const other = fields[name];
    if (!other) return [`${path} is gone`];
    const isOptional = requiredOf(old).includes(name) && !requiredOf(now).includes(name);
    return [...(isOptional ? [`${path} may be absent`] : []), ...obstacles(field, other, growing, path)];
  });
}

/** Paths of the fields that `now` has and `old` has not. */
export function addedFields(old: Shape, now: Shape, at = ''): string[] {
  const known = Object.assign({}, ...variantsOf(old).map(fieldsOf)) as Record<string, Shape>;
  return variantsOf(now).flatMap((variant) => [
    ...Object.entries(fieldsOf(variant)).flatMap(([name, field]) => {
      const path = at ? `${at}.${name}` : name;
      return known[name] ? addedFields(known[name], field, path) : [path];
    }),
    ...itemsOf(variant, old, at),
  ]);
}

function itemsOf(variant: Shape, old: Shape, at: string): string[] {
  const before = variantsOf(old).find(({ items }) => items !== undefined);
  return variant.items && before ? addedFields(before.items as Shape, variant.items as Shape, `${at}[]`) : [];
}
