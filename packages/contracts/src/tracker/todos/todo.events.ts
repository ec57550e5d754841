import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { targetTypes } from '../targets/target.ts';

/**
 * Streams `todo-<user id>-<target type>-<target id>`. At most one item is pending, even after concurrent requests
 * (ADR 5).
 */
export const TodoCreated = defineEvent({
  type: 'TodoCreated',
  version: 1,
  service: 'tracker',
  audit: 'own',
  activity: 'own',
  schema: z.object({
    todoId: z.int(),
    /** The owner of the item. */
    userId: z.int(),
    /** The user who caused it. */
    authorId: z.int(),
    projectId: z.int(),
    action: z.enum(['assigned', 'mentioned', 'marked']),
    targetType: z.enum(targetTypes),
    /** Global id and number within the project. */
    targetId: z.int(),
    targetIid: z.int(),
    /** The target's title at that time. */
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
