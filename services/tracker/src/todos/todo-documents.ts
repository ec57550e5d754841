import type { TodoEvent } from '@forgelog/contracts/tracker/todo.events.ts';
import type { Recorded } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { ref, TextRef, writeReadyJson } from '@forgelog/service-kit/ready-json.ts';
import { type IssueDocument, issues, placeOf } from '../issues/issues.collection.ts';
import { todos } from './todos.collection.ts';

/** More to-dos on one target, or in one project, than there will be. */
const ALL = 10_000_000;

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
        body: writeReadyJson({
          id,
          author: ref.user(authorId),
          action_name: action,
          target_type: targetType,
          target_url: new TextRef(['', ref.host, '/', ref.projectPath(projectId), `/-/issues/${targetIid}`]),
          body: event.data.body,
          created_at: event.time,
        }),
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
  for (const todo of await todosOn('Issue', issue.id!, documents))
    documents.put(todos, { ...todo, ...readers(issue) });
}

export async function forgetTodosOn(
  targetType: string,
  targetId: number,
  documents: ProjectionDocuments,
): Promise<void> {
  for (const { id } of await todosOn(targetType, targetId, documents)) documents.delete(todos, id);
}

export async function forgetProjectTodos(projectId: number, documents: ProjectionDocuments): Promise<void> {
  const found = await documents.find(todos, { where: eq('projectId', projectId), limit: ALL });
  for (const { id } of found) documents.delete(todos, id);
}

function todosOn(targetType: string, targetId: number, documents: ProjectionDocuments) {
  const where = and(eq('targetType', targetType), eq('targetId', targetId));
  return documents.find(todos, { where, limit: ALL });
}
