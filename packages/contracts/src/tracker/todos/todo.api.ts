import { z } from 'zod';
import { defineEndpoint, project, user } from '../../endpoint.ts';
import { described, fallback, int, oneOf, required } from '../../params.ts';
import { issueIid, projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView, userView } from '../../views.ts';
import { issuePath, issueView } from '../issues/issue.api.ts';
import examples from './todo.examples.json' with { type: 'json' };

/** To-do item [L102]. */
export const todoView = defineView(
  'Todo',
  {
    id: z.int(),
    project: defineView('TodoProject', {
      id: z.int(),
      name: z.string(),
      name_with_namespace: z.string(),
      path: z.string(),
      path_with_namespace: z.string(),
    }),
    author: userView,
    action_name: z.string(),
    target_type: z.string(),
    target: issueView,
    target_url: z.string(),
    body: z.string(),
    state: z.enum(['pending', 'done']),
    created_at: datetimeView,
  },
  examples.Todo,
);

export const createIssueTodo = defineEndpoint({
  service: 'tracker',
  access: project('anyone', { feature: 'issues', signedIn: true }),
  id: 'issue-todo',
  method: 'POST',
  path: `${issuePath}/todo`,
  summary: 'Put an issue on the to-do list of the caller; 304 where it is on it',
  spec: 'api-v4 L243',
  params: { id: projectId, issue_iid: issueIid },
  status: 201,
  otherStatuses: [304],
  response: todoView,
});

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
      oneOf(
        'assigned',
        'mentioned',
        'build_failed',
        'marked',
        'approval_required',
        'unmergeable',
        'directly_addressed',
        'merge_train_removed',
      ),
      'Only items that arose from this',
    ),
    author_id: described(int(), 'Only items of this author'),
    project_id: described(int(), 'Only items of this project'),
    group_id: described(int(), 'Only items of the projects of this group'),
    state: described(fallback(oneOf('pending', 'done'), 'pending'), 'Pending items or done ones'),
    type: described(
      oneOf('Issue', 'MergeRequest', 'DesignManagement::Design', 'AlertManagement::Alert', 'Epic'),
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

export const todoEndpoints = [createIssueTodo, listTodos, markTodoDone, markAllTodosDone];
