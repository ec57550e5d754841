import type { TodoEvent } from '@forgelog/contracts/tracker/todos/todo.events.ts';
import type { Recorded } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { type IssueDocument, issues, placeOf } from '../issues/issues.collection.ts';
import { todos, todosOn } from './todos.collection.ts';

export async function projectTodo(event: Recorded<TodoEvent>, documents: ProjectionDocuments): Promise<void> {
  switch (event.type) {
    case 'TodoCreated': {
      const { todoId: id, userId, authorId, projectId, action, targetType, targetId, targetIid } = event.data;
      const issue = await documents.get(issues, placeOf(projectId, targetIid)!);
      documents.put(todos, {
        id,
        userId,
        authorId,
        projectId,
        action,
        targetType,
        targetId,
        targetIid,
        state: 'pending',
        ...readers(issue),
        createdAt: event.time,
        text: event.data.body,
      });
      return;
    }
    case 'TodoDone': {
      const todo = await documents.get(todos, event.data.todoId);
      if (todo) documents.put(todos, { ...todo, state: 'done' });
      return;
    }
    default:
      event satisfies never;
  }
}

function readers(issue: IssueDocument | undefined) {
  return {
    confidential: issue?.confidential ?? false,
    readerIds: issue?.authorId == null ? [] : [issue.authorId, ...issue.assigneeIds!],
  };
}

/** The target has become confidential, or open, or others' to read. */
export async function restrictTodosOn(issue: IssueDocument, documents: ProjectionDocuments): Promise<void> {
  for (const todo of await documents.findAll(todos, todosOn('Issue', issue.id!)))
    documents.put(todos, { ...todo, ...readers(issue) });
}
