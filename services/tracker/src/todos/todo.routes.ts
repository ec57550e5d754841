import { Rejection } from '@forgelog/contracts/errors.ts';
import { listTodos, markAllTodosDone, markTodoDone } from '@forgelog/contracts/tracker/todos/todo.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { and, type Condition, desc, eq, oneOf, or } from '@forgelog/eventing/query.ts';
import { json, noContent, unchanged } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { requireTarget } from '../targets/target.access.ts';
import type { TargetKind } from '../targets/target.ts';
import { accessTodoDecider, accessTodoStream } from './access-todo.decider.ts';
import { readableTodos } from './access-todos.query.ts';
import { shownTodos } from './shown-todos.ts';
import { markTodo } from './todo.commands.ts';
import { todoDecider, todoStream } from './todo.decider.ts';
import { todoJson } from './todo.view.ts';
import { isAccessTodo, type TodoDocument, todos } from './todos.collection.ts';

const BATCH = 100;

export function todoRoutes(ports: ServicePorts, kinds: readonly TargetKind[]): Implementation[] {
  const { commands, readStore, directory } = ports;
  const view = todoJson.renderer(ports);

  async function answerOf(todoId: number, caller: Principal) {
    const todo = await readStore.get(todos, todoId);
    const [shown] = todo ? await shownTodos(ports, kinds, [todo], caller) : [];
    if (!shown) throw new Rejection('record_not_found');
    return json(view.one(shown));
  }

  /** Puts the target in the path of the request on the caller's list. */
  async function mark(request: ApiRequest, kind: TargetKind) {
    const target = await requireTarget(kind, ports, request);
    const todoId = await markTodo(ports, target, request);
    return todoId === undefined ? unchanged() : answerOf(todoId, request.caller);
  }

  function finish(todo: TodoDocument, metadata: EventMetadata) {
    const { id, userId, targetType, targetId, authorId } = todo;
    if (isAccessTodo(todo))
      return commands.handle(
        accessTodoDecider,
        accessTodoStream({ targetType: todo.targetType, targetId, authorId }),
        { type: 'FinishAccessTodo', todoId: id, userId },
        metadata,
      );
    return commands.handle(
      todoDecider,
      todoStream(userId, targetType, targetId),
      { type: 'FinishTodo', todoId: id, userId: userId },
      metadata,
    );
  }

  return [
    ...kinds.flatMap((kind) =>
      kind.todos ? [implement(kind.todos.endpoint, (request) => mark(request, kind))] : [],
    ),

    implement(listTodos, async ({ params, caller, page }) => {
      const conditions: Condition[] = [
        eq('userId', caller.userId),
        eq('state', params.state),
        await readableTodos(directory, caller, kinds),
      ];
      if (params.action) conditions.push(eq('action', params.action));
      if (params.author_id !== undefined) conditions.push(eq('authorId', params.author_id));
      if (params.project_id !== undefined) conditions.push(eq('projectId', params.project_id));
      if (params.group_id !== undefined)
        conditions.push(
          or(
            oneOf('projectId', await directory.projectsBelow(params.group_id)),
            oneOf('groupId', [params.group_id, ...(await directory.groupsBelow(params.group_id))]),
          ),
        );
      if (params.type) conditions.push(eq('targetType', params.type));
      const { documents, next } = await pageOf(readStore, todos, {
        where: and(...conditions),
        sort: [desc('id')],
        page,
      });
      return { kind: 'list', items: view.list(await shownTodos(ports, kinds, documents, caller)), next };
    }),

    implement(markTodoDone, async ({ params, caller, metadata }) => {
      const own = and(eq('id', params.id), eq('userId', caller.userId));
      const [todo] = await readStore.find(todos, {
        where: and(own, await readableTodos(directory, caller, kinds)),
        limit: 1,
      });
      if (!todo) throw new Rejection('record_not_found');
      await finish(todo, metadata);
      return answerOf(todo.id, caller);
    }),

    implement(markAllTodosDone, async ({ caller, metadata }) => {
      const where = and(eq('userId', caller.userId), eq('state', 'pending'));
      for await (const batch of inBatches(readStore, todos, { where, size: BATCH }))
        await Promise.all(batch.map((todo) => finish(todo, metadata)));
      return noContent();
    }),
  ];
}
