import {
  GroupAccessRequestCreated,
  GroupAccessRequestDeleted,
  ProjectAccessRequestCreated,
  ProjectAccessRequestDeleted,
} from '@forgelog/contracts/admin/access-requests/access-request.events.ts';
import { GroupMemberAdded } from '@forgelog/contracts/admin/groups/group.events.ts';
import { ProjectMemberAdded } from '@forgelog/contracts/admin/members/project-member.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy, type Reaction } from '@forgelog/eventing/define-policy.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { type AccessRequestRef, accessTodoDecider, accessTodoStream } from './access-todo.decider.ts';
import { decidersOf } from './access-todos.query.ts';

const ofProject = ({ projectId, userId }: { projectId: number; userId: number }): AccessRequestRef => ({
  ...{ targetType: 'Project', targetId: projectId, authorId: userId },
});
const ofGroup = ({ groupId, userId }: { groupId: number; userId: number }): AccessRequestRef => ({
  ...{ targetType: 'Namespace', targetId: groupId, authorId: userId },
});

/** Gives an item to those who may accept a request for access, and ends them with the request. */
export function accessTodoPolicies(ports: ServicePorts): Policy[] {
  const { commands, ids } = ports;

  async function ask(request: AccessRequestRef, event: RecordedEvent, { metadata }: Reaction): Promise<void> {
    const todos: { todoId: number; userId: number }[] = [];
    for (const userId of await decidersOf(ports, request))
      todos.push({ todoId: await ids.next('todo'), userId });
    if (todos.length === 0) return;
    await commands.handle(
      accessTodoDecider,
      accessTodoStream(request),
      { type: 'AskForDecision', request, todos },
      metadata,
      // What its owner has ticked off does not come back when a restart repeats the reaction.
      { operationId: event.id },
    );
  }

  async function finish(
    request: AccessRequestRef,
    event: RecordedEvent,
    { metadata }: Reaction,
  ): Promise<void> {
    const stream = accessTodoStream(request);
    const { state } = await commands.load(accessTodoDecider, stream);
    // Most new members never asked.
    if (state.isEmpty()) return;
    const command = { type: 'FinishAccessTodos' } as const;
    await commands.handle(accessTodoDecider, stream, command, metadata, { operationId: event.id });
  }

  return [
    definePolicy({
      name: 'access-todos',
      handles: [
        ProjectAccessRequestCreated,
        ProjectAccessRequestDeleted,
        ProjectMemberAdded,
        GroupAccessRequestCreated,
        GroupAccessRequestDeleted,
        GroupMemberAdded,
      ],
      actsAs: 'system',
      react(event, reaction) {
        switch (event.type) {
          case 'ProjectAccessRequestCreated':
            return ask(ofProject(event.data), event, reaction);
          case 'GroupAccessRequestCreated':
            return ask(ofGroup(event.data), event, reaction);
          case 'ProjectAccessRequestDeleted':
          case 'ProjectMemberAdded':
            return finish(ofProject(event.data), event, reaction);
          default:
            return finish(ofGroup(event.data), event, reaction);
        }
      },
    }),
  ];
}
