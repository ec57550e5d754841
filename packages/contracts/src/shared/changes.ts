import { z } from 'zod';

const newValues = <Fields extends z.core.$ZodLooseShape>(fields: Fields) =>
  z
    .object(fields)
    .partial()
    .describe('New values of the changed fields, by field; a field that kept its value is absent.');

/**
 * The data of an event that changes what exists: `changes` holds the new values by field, `previous` the old values of
 * exactly these fields.
 */
export const changed = <Fields extends z.core.$ZodLooseShape>(fields: Fields) => ({
  changes: newValues(fields),
  previous: z
    .object(fields)
    .partial()
    .nullable()
    .describe('Old values of the same fields; null in events of before that did not tell them.'),
});

/**
 * The same with fields that are never published. `withheldChanges` says what changed in them.
 * @param names what people call the secrets: `password` for `passwordHash`
 */
export const changedWithheld = <
  Fields extends z.core.$ZodLooseShape,
  Secrets extends z.core.$ZodLooseShape,
  const Name extends string,
>(
  fields: Fields,
  secrets: Secrets,
  names: readonly Name[],
) => ({
  ...changed(fields),
  changes: newValues({ ...fields, ...secrets }),
  withheldChanges: z
    .array(z.enum(names))
    .describe('What else changed; neither its old nor its new value is published.'),
});

type Values = Readonly<Record<string, string | boolean>>;

/** A change with the same values in every event of a type: `UserBlocked` ends `active` and begins `blocked`. */
export const alwaysChanged = <const Changes extends Values, const Previous extends Values>({
  changes,
  previous,
}: {
  changes: Changes;
  previous: Previous;
}) => ({
  changes: literals(changes).describe('The new value, the same in every event of this type.'),
  previous: literals(previous).describe('The old value, the same in every event of this type.'),
});

function literals<V extends Values>(values: V) {
  const fields = Object.entries(values).map(([name, value]) => [
    name,
    z.literal(value).describe(`Always \`${value}\`.`),
  ]);
  return z.object(Object.fromEntries(fields) as { [Name in keyof V]: z.ZodLiteral<V[Name]> });
}

/** The upcaster of an update from before `previous`. */
export const previousUnknown = (data: object) => ({ ...data, previous: null });
