/** Lockfiles are what somebody pushed: nothing in them needs to have the form that it should have. */

export type Fields = Readonly<Record<string, unknown>>;

const NONE: Fields = Object.freeze(Object.create(null));

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : NONE;
}

export const entriesOf = (value: unknown): [string, Fields][] =>
  Object.entries(fieldsOf(value)).map(([name, item]) => [name, fieldsOf(item)]);

export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
