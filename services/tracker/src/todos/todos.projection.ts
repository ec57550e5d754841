import type { DomainEvent } from '@forgelog/contracts/event.ts';
import {
  type AccessTodoEvent,
  type TodoEvent,
  todoEvents,
} from '@forgelog/contracts/tracker/todos/todo.events.ts';
import { defineProjection, type Recorded } from '@forgelog/eventing/define-projection.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { TargetKind } from '../targets/target.ts';
import { endingWithTargets, keepReaders, type TargetReaders } from '../targets/target-readers.projection.ts';
import { targetKey } from '../targets/target-ref.ts';
import { todos, todosOn } from './todos.collection.ts';

const todoTypes = new Set<string>(todoEvents.map(({ type }) => type));
const isTodoEvent = (event: RecordedEvent): event is Recorded<TodoEvent | AccessTodoEvent> =>
  todoTypes.has(event.type);

/** To-do items, each with who may see its target. */
export function todosProjection(kinds: readonly TargetKind[]) {
  const targets = keepReaders('todo_targets', kinds);
  return defineProjection<DomainEvent>({
    name: 'todos',
    collections: [todos, targets.collection],
    handles: [...todoTypes, ...targets.handles],
    endings: [...targets.endings, ...endingWithTargets(kinds, todos, todosOn)],
    async project(event, documents) {
      const changed = await targets.project(event, documents);
      if (changed)
        for (const todo of await documents.findAll(todos, todosOn(changed.target)))
          documents.put(todos, { ...todo, ...guardedBy(changed.readers) });
      if (!isTodoEvent(event)) return;
      switch (event.type) {
        case 'TodoCreated': {
          const { todoId: id, body: text, ...todo } = event.data;
          const key = targetKey({ type: todo.targetType, id: todo.targetId });
          const guard = guardedBy(await targets.of(documents, key));
          const createdAt = event.time;
          const item = { ...todo, ...guard, id, text, groupId: null, createdAt, state: 'pending' };
          return documents.put(todos, item);
        }
        case 'AccessTodoCreated': {
          const { todoId: id, ...todo } = event.data;
          const none = { ...guardedBy(undefined), text: '', targetIid: null };
          return documents.put(todos, { ...todo, ...none, id, createdAt: event.time, state: 'pending' });
        }
        case 'TodoDone':
        case 'AccessTodoDone': {
          const todo = await documents.get(todos, event.data.todoId);
          if (todo) documents.put(todos, { ...todo, state: 'done' });
          return;
        }
        default:
          event satisfies never;
      }
    },
  });
}

const guardedBy = (readers: TargetReaders | undefined) => ({
  confidential: readers?.confidential ?? false,
  readerIds: readers ? [readers.authorId, ...readers.assigneeIds] : [],
});
