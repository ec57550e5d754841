import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  createIssueTodo,
  listTodos,
  markAllTodosDone,
  markTodoDone,
} from '@forgelog/contracts/tracker/todo.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { and, asc, type Condition, desc, eq, oneOf } from '@forgelog/eventing/query.ts';
import { json, noContent, unchanged } from '@forgelog/service-kit/answer.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { readableIssue, targetsReadableAcross } from '../issues/issue-visibility.ts';
import { issues, placeOf } from '../issues/issues.collection.ts';
import { issueText, READY_FIELDS } from '../issues/ready-issue.ts';
import { todoDecider, todoStream } from './todo.decider.ts';
import { type TodoDocument, todos } from './todos.collection.ts';

const BATCH = 100;

export function todoRoutes(ports: ServicePorts): Implementation[] {
  const { commands, ids, readStore, directory } = ports;
  const edition = ports.configuration.EDITION;
  const rendering = { edition, host: ports.host, across: true, labelDetails: false };

  /** Ready JSON of an item with its project and target; undefined where one of them is gone. */
  async function render(todo: TodoDocument): Promise<string | undefined> {
    const project = await directory.project(todo.projectId!);
    const targetPlace = placeOf(todo.projectId!, todo.targetIid!)!;
    const target = await readStore.getFields(issues, targetPlace, READY_FIELDS);
    if (!project || !target?.lines) return undefined;
    const place = {
      id: project.id,
      name: project.name,
      name_with_namespace: project.fullName,
      path: project.path,
      path_with_namespace: project.fullPath,
    };
    const members = [
      `"state":"${todo.state}"`,
      `"project":${JSON.stringify(place)}`,
      `"target":${issueText(target, rendering)}`,
    ];
    return `${todo.body!.slice(0, -1)},${members.join()}}`;
  }

  async function answerOf(todoId: number) {
    const todo = await readStore.get(todos, todoId);
    const text = todo && (await render(todo));
    if (text === undefined) throw new Rejection('record_not_found');
    return json(text);
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
      const items = await Promise.all(documents.map(render));
      return { kind: 'list', items: items.filter((item) => item !== undefined), next };
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
