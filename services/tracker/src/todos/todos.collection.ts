import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { ACCESS_ACTION, type TodoPlaceType } from '@forgelog/contracts/tracker/todos/todo.events.ts';
import { todoLifetime } from '@forgelog/contracts/tracker/todos/todo.lifetime.ts';
import { and, type Condition, eq, or } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';
import type { TargetRef } from '../targets/target-ref.ts';

/** To-do items. What an answer shows of the target is read from the target. */
export const todos = defineCollection({
  name: 'todos',
  key: 'id',
  fields: {
    id: 'integer',
    userId: 'integer',
    authorId: 'integer',
    /** Null for a request for access to a group. */
    projectId: 'integer?',
    /** The group that somebody asks for access to. */
    groupId: 'integer?',
    action: 'text',
    state: 'text',
    targetType: 'text',
    targetId: 'integer',
    /** Null for a request for access. */
    targetIid: 'integer?',
    /** Whether the target is confidential, and who may read it all the same. */
    confidential: 'boolean',
    readerIds: 'integer[]',
    createdAt: 'text',
    /** What the item says; empty for a request for access, which says where. */
    text: 'text',
  },
  indexes: [
    ['userId', 'state'],
    ['targetType', 'targetId'],
    ['projectId'],
    ['groupId'],
    ['authorId', 'action'],
  ],
  holds: { lifetime: todoLifetime },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
    endsWith(UserDeleted, ({ userId }) =>
      or(eq('userId', userId), and(eq('authorId', userId), eq('action', ACCESS_ACTION))),
    ),
  ],
});

export const todosOn = ({ type, id }: Pick<TargetRef, 'type' | 'id'>): Condition =>
  and(eq('targetType', type), eq('targetId', id));

export type TodoDocument = DocumentOf<typeof todos>;

type AccessTodo = TodoDocument & { targetType: TodoPlaceType };

/** Whether it is about a request for access to a project or group. */
export const isAccessTodo = (todo: TodoDocument): todo is AccessTodo => todo.action === ACCESS_ACTION;
