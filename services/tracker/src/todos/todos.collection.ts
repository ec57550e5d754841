import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { todoLifetime } from '@forgelog/contracts/tracker/todos/todo.lifetime.ts';
import { and, type Condition, eq } from '@forgelog/eventing/query.ts';
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
    projectId: 'integer',
    action: 'text',
    state: 'text',
    targetType: 'text',
    targetId: 'integer',
    targetIid: 'integer',
    /** Whether the target is confidential, and who may read it all the same. */
    confidential: 'boolean',
    readerIds: 'integer[]',
    createdAt: 'text',
    /** What the item says. */
    text: 'text',
  },
  indexes: [['userId', 'state'], ['targetType', 'targetId'], ['projectId']],
  holds: { lifetime: todoLifetime },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(UserDeleted, ({ userId }) => eq('userId', userId)),
  ],
});

export const todosOn = ({ type, id }: Pick<TargetRef, 'type' | 'id'>): Condition =>
  and(eq('targetType', type), eq('targetId', id));

export type TodoDocument = DocumentOf<typeof todos>;
