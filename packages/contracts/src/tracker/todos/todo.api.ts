import { z } from 'zod';
import { defineEndpoint, project, user } from '../../endpoint.ts';
import { described, fallback, int, oneOf, required } from '../../params.ts';
import { namespaceView } from '../../repo/projects/project.views.ts';
import { datetimeView, defineView, userView } from '../../views.ts';
import { issueView } from '../issues/issue.api.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { mergeRequestTarget } from '../merge-requests/merge-request.target.ts';
import { mergeRequestView } from '../merge-requests/merge-request.views.ts';
import type { TargetContract } from '../targets/target.ts';
import { ACCESS_ACTION, TODO_ACTIONS } from './todo.events.ts';
import examples from './todo.examples.json' with { type: 'json' };

const todoProjectView = defineView('TodoProject', {
  id: z.int(),
  name: z.string(),
  name_with_namespace: z.string(),
  path: z.string(),
  path_with_namespace: z.string(),
});

/** To-do item [L102]. */
export const todoView = defineView(
  'Todo',
  {
    id: z.int(),
    /** Absent for a request for access to a group, which has `group`. */
    project: todoProjectView.optional(),
    group: namespaceView.optional(),
    author: userView,
    action_name: z.string(),
    target_type: z.string(),
    target: z.union([issueView, mergeRequestView, todoProjectView, namespaceView]),
    target_url: z.string(),
    body: z.string(),
    state: z.enum(['pending', 'done']),
    created_at: datetimeView,
  },
  examples.Todo,
);

/** @param spec where the endpoint is specified */
export const todoEndpoint = ({ id, name, path, params, feature }: TargetContract, spec: string) =>
  defineEndpoint({
    service: 'tracker',
    access: project('anyone', { feature, signedIn: true }),
    id: `${id}-todo`,
    method: 'POST',
    path: `${path}/todo`,
    summary: `Put ${name} on the to-do list of the caller; 304 where it is on it`,
    spec,
    params,
    status: 201,
    otherStatuses: [304],
    response: todoView,
  });

export type TodoEndpoint = ReturnType<typeof todoEndpoint>;
export const issueTodo = todoEndpoint(issueTarget, 'api-v4 L243');
export const mergeRequestTodo = todoEndpoint(mergeRequestTarget, 'companions 2.8');

export const listTodos = defineEndpoint({
  service: 'tracker',
  access: user,
  id: 'todo-list',
  method: 'GET',
  path: '/todos',
  summary: "The caller's to-do list, the newest first",
  spec: 'companions 2.7',
  params: {
    action: described(
      oneOf(...TODO_ACTIONS, ACCESS_ACTION, 'merge_train_removed'),
      'Only items that arose from this',
    ),
    author_id: described(int(), 'Only items of this author'),
    project_id: described(int(), 'Only items of this project'),
    group_id: described(int(), 'Only items of this group, of those below it and of their projects'),
    state: described(fallback(oneOf('pending', 'done'), 'pending'), 'Pending items or done ones'),
    type: described(
      oneOf(
        ...['Issue', 'MergeRequest', 'Project', 'Namespace'],
        ...['DesignManagement::Design', 'AlertManagement::Alert', 'Epic'],
      ),
      'Only items about this kind of thing',
    ),
  },
  pagination: 'offset',
  response: z.array(todoView),
});

export const markTodoDone = defineEndpoint({
  service: 'tracker',
  access: user,
  id: 'todo-done',
  method: 'POST',
  path: '/todos/:id/mark_as_done',
  summary: 'Tick one item off',
  spec: 'companions 2.7',
  params: { id: described(required(int()), 'Id of the to-do item') },
  status: 201,
  response: todoView,
});

export const markAllTodosDone = defineEndpoint({
  service: 'tracker',
  access: user,
  id: 'todo-done-all',
  method: 'POST',
  path: '/todos/mark_as_done',
  summary: 'Tick everything off',
  spec: 'companions 2.7',
  params: {},
  status: 204,
});

export const todoEndpoints = [issueTodo, mergeRequestTodo, listTodos, markTodoDone, markAllTodosDone];
