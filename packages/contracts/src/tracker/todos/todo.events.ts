import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { alwaysChanged } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import { targetTypes } from '../targets/target.ts';
import examples from './todo.events.examples.json' with { type: 'json' };

const todoId = z.int().describe('Id of the to-do item.');
const userId = z.int().describe('Id of the user who has to do it.');

/** What items arise from. */
export const TODO_ACTIONS = [
  'assigned',
  'mentioned',
  'build_failed',
  'marked',
  'approval_required',
  'unmergeable',
  'directly_addressed',
  'review_requested',
] as const;
export type TodoAction = (typeof TODO_ACTIONS)[number];

/** Consumers of before know three: what comes to a user unasked was assigned or mentioned. */
const FORMER_ACTIONS: Readonly<Record<TodoAction, 'assigned' | 'mentioned' | 'marked'>> = {
  ...{ assigned: 'assigned', mentioned: 'mentioned', marked: 'marked', directly_addressed: 'mentioned' },
  ...{ build_failed: 'assigned', approval_required: 'assigned', unmergeable: 'assigned' },
  review_requested: 'assigned',
};

/** At most one item of a stream is pending, even after concurrent requests (ADR 5). */
export const TodoCreated = defineEvent({
  type: 'TodoCreated',
  version: 2,
  description: 'A user has something to do about a target.',
  subject: 'todo-<userId>-<targetType>-<targetId>',
  example: examples.TodoCreated,
  service: 'tracker',
  audit: 'own',
  activity: 'own',
  schema: z.object({
    todoId,
    userId,
    authorId: z.int().describe('Id of the user who caused it.'),
    projectId,
    action: z
      .enum(TODO_ACTIONS)
      .describe(
        'What caused it: what became of the target, what others said of it, or a mark that the user set.',
      ),
    targetType: z.enum(targetTypes).describe('Kind of the target.'),
    targetId: z.int().describe('Id of the target, unique on the instance.'),
    targetIid: z.int().describe('Number of the target, unique in the project.'),
    body: personal(z.string().describe('Title of the target at that time.')),
  }),
  upcast: { 1: (data) => data },
  downcast: { 2: (data) => ({ ...data, action: FORMER_ACTIONS[data.action as TodoAction] }) },
});

export const TODO_DONE = { changes: { state: 'done' }, previous: { state: 'pending' } } as const;

export const TodoDone = defineEvent({
  type: 'TodoDone',
  version: 2,
  description: 'A user has done what there was to do.',
  subject: 'todo-<userId>-<targetType>-<targetId>',
  example: examples.TodoDone,
  service: 'tracker',
  audit: 'own',
  activity: 'own',
  schema: z.object({ todoId, userId, ...alwaysChanged(TODO_DONE) }),
  upcast: { 1: (data) => ({ ...data, ...TODO_DONE }) },
});

/** What an item arises from that is about a request for access, and no target. */
export const ACCESS_ACTION = 'member_access_requested';

/** The kinds of places that people ask for access to, in the words of to-do items. */
export const todoPlaceTypes = ['Project', 'Namespace'] as const;
export type TodoPlaceType = (typeof todoPlaceTypes)[number];

/** All items of one request are in one stream, so that they end together (ADR 144). */
const ofRequest = {
  version: 1,
  subject: 'accessTodo-<targetType>-<targetId>-<authorId>',
  service: 'tracker',
  audit: 'own',
  activity: 'own',
} as const;

export const AccessTodoCreated = defineEvent({
  ...ofRequest,
  type: 'AccessTodoCreated',
  description: 'A user has to decide whether another one gets access to a project or group.',
  example: examples.AccessTodoCreated,
  schema: z.object({
    todoId,
    userId,
    authorId: z.int().describe('Id of the user who asks for access.'),
    action: z.literal(ACCESS_ACTION).describe('What caused it.'),
    targetType: z.enum(todoPlaceTypes).describe('Whether they ask for access to a project or a group.'),
    targetId: z.int().describe('Id of the project or group.'),
    projectId: z.int().nullable().describe('Id of the project, null for a group.'),
    groupId: z.int().nullable().describe('Id of the group, null for a project.'),
  }),
});

export const AccessTodoDone = defineEvent({
  ...ofRequest,
  type: 'AccessTodoDone',
  description: 'A request for access waits no longer for a user, or they ticked it off.',
  example: examples.AccessTodoDone,
  schema: z.object({ todoId, userId, ...alwaysChanged(TODO_DONE) }),
});

export const accessTodoEvents = [AccessTodoCreated, AccessTodoDone] as const;
export type AccessTodoEvent = EventOf<(typeof accessTodoEvents)[number]>;

export const targetTodoEvents = [TodoCreated, TodoDone] as const;
export type TodoEvent = EventOf<(typeof targetTodoEvents)[number]>;

export const todoEvents = [...targetTodoEvents, ...accessTodoEvents] as const;
