import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { targetTypes } from '../targets/target.ts';

/**
 * Streams `todo-<user id>-<target type>-<target id>`: what one user has to do about one target. At most one item is
 * pending at a time, and two requests at once cannot make two (ADR 5); a later item has a new id.
 */
export const TodoCreated = defineEvent({
  type: 'TodoCreated',
  version: 1,
  service: 'tracker',
  audit: 'own',
  activity: 'own',
  schema: z.object({
    todoId: z.int(),
    /** Whose item it is. */
    userId: z.int(),
    /** Who caused it. */
    authorId: z.int(),
    projectId: z.int(),
    action: z.enum(['assigned', 'mentioned', 'marked']),
    targetType: z.enum(targetTypes),
    /** Global id and number within the project. */
    targetId: z.int(),
    targetIid: z.int(),
    /** The target's title at the time. */
    body: z.string(),
  }),
  personalData: ['body'],
});

export const TodoDone = defineEvent({
  type: 'TodoDone',
  version: 1,
  service: 'tracker',
  audit: 'own',
  activity: 'own',
  schema: z.object({ todoId: z.int(), userId: z.int() }),
});

export const todoEvents = [TodoCreated, TodoDone] as const;
export type TodoEvent = EventOf<(typeof todoEvents)[number]>;
