import { z } from 'zod';

/** Shapes that many answers hold [L35, L118]. */
export const userView = z.strictObject({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  state: z.enum(['active', 'blocked']),
  avatar_url: z.string().nullable(),
  web_url: z.string(),
});

export const visibilityView = z.enum(['private', 'internal', 'public']);
export const dateView = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
export const datetimeView = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?(Z|[+-]\d{2}:\d{2})$/);
export const messageView = z.strictObject({ message: z.string() });
