import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  createIssueTodo,
  listTodos,
  markAllTodosDone,
  markTodoDone,
} from '@forgelog/contracts/tracker/todos/todo.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { and, asc, type Condition, desc, eq, oneOf } from '@forgelog/eventing/query.ts';
import { json, noContent, unchanged } from '@forgelog/service-kit/answer.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { readableIssue, targetsReadableAcross } from '../issues/issue.access.ts';
import { issues, placeOf } from '../issues/issues.collection.ts';
import { todoDecider, todoStream } from './todo.decider.ts';
import { type ShownTodo, todoJson } from './todo.view.ts';
import { type TodoDocument, todos } from './todos.collection.ts';

const BATCH = 100;

export function todoRoutes(ports: ServicePorts): Implementation[] {
  const { commands, ids, readStore, directory } = ports;
  const view = todoJson.renderer(ports);

  /** The item with its project and target; undefined where one of them is gone. */
  async function shown(todo: TodoDocument): Promise<ShownTodo | undefined> {
    const project = await directory.project(todo.projectId!);
    const target = await readStore.get(issues, placeOf(todo.projectId!, todo.targetIid!)!);
    return project && target && target.projectId !== null ? { ...todo, project, target } : undefined;
  }

  async function answerOf(todoId: number) {
    const todo = await readStore.get(todos, todoId);
    const found = todo && (await shown(todo));
    if (found === undefined) throw new Rejection('record_not_found');
    return json(view.one(found));
  }

  function finish({ id, userId, targetType, targetId }: TodoDocument, metadata: EventMetadata) {
    return commands.handle(
      todoDecider,
      todoStream(userId!, targetType!, targetId!),
      { type: 'FinishTodo', todoId: id, userId: userId! },
      metadata,
    );
  }

  return [
    implement(createIssueTodo, async ({ params, caller, project, metadata }) => {
      const projectId = project.project.id;
      const iid = params.issue_iid;
      const issue = await readableIssue(readStore, project, caller, iid);
      if (!issue) throw new Rejection('record_not_found');
      const { userId } = caller;
      const targetId = issue.id!;
      const todoId = await ids.next('todo');
      const { events } = await commands.handle(
        todoDecider,
        todoStream(userId, 'Issue', targetId),
        {
          type: 'CreateTodo',
          todo: {
            todoId,
            userId,
            authorId: userId,
            projectId,
            action: 'marked',
            targetType: 'Issue',
            targetId,
            targetIid: iid,
            body: issue.title!,
          },
        },
        metadata,
      );
      return events.length === 0 ? unchanged() : answerOf(todoId);
    }),

    implement(listTodos, async ({ params, caller, page }) => {
      const conditions: Condition[] = [
        eq('userId', caller.userId),
        eq('state', params.state),
        await targetsReadableAcross(directory, caller),
      ];
      if (params.action) conditions.push(eq('action', params.action));
      if (params.author_id !== undefined) conditions.push(eq('authorId', params.author_id));
      if (params.project_id !== undefined) conditions.push(eq('projectId', params.project_id));
      if (params.group_id !== undefined)
        conditions.push(oneOf('projectId', await directory.projectsBelow(params.group_id)));
      if (params.type) conditions.push(eq('targetType', params.type));
      const { documents, next } = await pageOf(readStore, todos, {
        where: and(...conditions),
        sort: [desc('id')],
        page,
      });
      const found = await Promise.all(documents.map(shown));
      return { kind: 'list', items: view.list(found.filter((todo) => todo !== undefined)), next };
    }),

    implement(markTodoDone, async ({ params, caller, metadata }) => {
      const own = and(eq('id', params.id), eq('userId', caller.userId));
      const [todo] = await readStore.find(todos, {
        where: and(own, await targetsReadableAcross(directory, caller)),
        limit: 1,
      });
      if (!todo) throw new Rejection('record_not_found');
      await finish(todo, metadata);
      return answerOf(todo.id);
    }),

    implement(markAllTodosDone, async ({ caller, metadata }) => {
      const where = and(eq('userId', caller.userId), eq('state', 'pending'));
      let after: number[] | undefined;
      for (;;) {
        const batch = await readStore.find(todos, { where, sort: [asc('id')], limit: BATCH, after });
        await Promise.all(batch.map((todo) => finish(todo, metadata)));
        if (batch.length < BATCH) return noContent();
        after = [batch.at(-1)!.id];
      }
    }),
  ];
}
