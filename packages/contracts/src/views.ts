import { z } from 'zod';
import examples from './view.examples.json' with { type: 'json' };

const exampleByName = new Map<string, unknown>();

/**
 * An object of answers, with its name in the reference: operations and other views refer to it, and generated clients
 * have a type of that name. A field that is not listed fails the tests.
 * @param example an answer as an instance gave it; needed where an endpoint answers with this view
 * @throws Error where another view has the name
 */
export function defineView<Shape extends z.ZodRawShape>(name: string, shape: Shape, example?: unknown) {
  if (exampleByName.has(name)) throw new Error(`two views are named ${name}`);
  exampleByName.set(name, example);
  return z.strictObject(shape).meta({ id: name });
}

/** The example of a view by its name in the reference; undefined where it has none. */
export const exampleOfView = (name: string): unknown => exampleByName.get(name);

/** Shapes that many answers hold [L35, L118]. */
export const userView = defineView(
  'User',
  {
    id: z.int(),
    username: z.string(),
    name: z.string(),
    state: z.enum(['active', 'blocked']),
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

/** A value that an administrator attached to a record; nothing sets one yet. */
export const customAttributeView = defineView('CustomAttribute', { key: z.string(), value: z.string() });

/** A group that another group or a project is shared with; nothing shares yet. */
export const groupShareView = defineView('GroupShare', {
  group_id: z.int(),
  group_name: z.string(),
  group_full_path: z.string(),
  group_access_level: z.int(),
  expires_at: dateView.nullable(),
});
