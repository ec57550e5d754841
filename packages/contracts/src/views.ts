import { z } from 'zod';
import examples from './view.examples.json' with { type: 'json' };

const exampleByName = new Map<string, unknown>();

/**
 * A named object of answers: operations and other views refer to it, and generated clients have a type of that name.
 * Tests fail on an unlisted field.
 * @param example a real answer; required where an endpoint answers with this view
 * @throws Error for a name in use
 */
export function defineView<Shape extends z.ZodRawShape>(name: string, shape: Shape, example?: unknown) {
  if (exampleByName.has(name)) throw new Error(`two views are named ${name}`);
  exampleByName.set(name, example);
  return z.strictObject(shape).meta({ id: name });
}

/** The example of a view by name; undefined if it has none. */
export const exampleOfView = (name: string): unknown => exampleByName.get(name);

/** Shapes shared by many answers [L35, L118]. */
export const userView = defineView(
  'User',
  {
    id: z.int(),
    username: z.string(),
    name: z.string(),
    state: z.enum(['active', 'blocked', 'deactivated', 'banned']),
    avatar_url: z.string().nullable(),
    web_url: z.string(),
  },
  examples.User,
);

export const visibilityView = z.enum(['private', 'internal', 'public']);
export const dateView = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .meta({ format: 'date' });
export const datetimeView = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?(Z|[+-]\d{2}:\d{2})$/)
  .meta({ format: 'date-time' });
export const messageView = defineView('Message', { message: z.string() }, examples.Message);

/** A name with a value that administrators attached to a user, group or project. */
export const customAttributeView = defineView(
  'CustomAttribute',
  { key: z.string(), value: z.string() },
  examples.CustomAttribute,
);

/** A group with which a project is shared. */
export const groupShareView = defineView('GroupShare', {
  group_id: z.int(),
  group_name: z.string(),
  group_full_path: z.string(),
  group_access_level: z.int(),
  expires_at: dateView.nullable(),
});
