import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { Target } from '../targets/target.ts';
import { todoDecider, todoStream } from './todo.decider.ts';

interface By {
  caller: Principal;
  metadata: EventMetadata;
}

/** Puts the target on the caller's list. @returns the id of the item; undefined where one is pending */
export async function markTodo(
  { commands, ids }: Pick<ServicePorts, 'commands' | 'ids'>,
  { projectId, type, id, iid, title }: Target,
  { caller: { userId }, metadata }: By,
): Promise<number | undefined> {
  const todoId = await ids.next('todo');
  const about = { projectId, targetType: type, targetId: id, targetIid: iid, body: title };
  const { events } = await commands.handle(
    todoDecider,
    todoStream(userId, type, id),
    { type: 'CreateTodo', todo: { todoId, userId, authorId: userId, action: 'marked', ...about } },
    metadata,
  );
  return events.length === 0 ? undefined : todoId;
}

/** Ticks off what the caller has to do about the target. @returns whether something was pending */
export async function finishTodoOn(
  { commands }: Pick<ServicePorts, 'commands'>,
  { type, id }: Pick<Target, 'type' | 'id'>,
  { caller: { userId }, metadata }: By,
): Promise<boolean> {
  const stream = todoStream(userId, type, id);
  const { state } = await commands.load(todoDecider, stream);
  if (state.status !== 'pending') return false;
  const { todoId } = state;
  const finish = { type: 'FinishTodo', todoId, userId } as const;
  const { events } = await commands.handle(todoDecider, stream, finish, metadata);
  return events.length > 0;
}
