import { z } from 'zod';
import { defineEndpoint, project, user } from '../endpoint.ts';
import { fallback, idOrPath, int, oneOf, required } from '../params.ts';
import { datetimeView, defineView, userView } from '../views.ts';
import { issuePath, issueView } from './issue.api.ts';

/** To-do item [L102]. */
export const todoView = defineView('Todo', {
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
});

export const createIssueTodo = defineEndpoint({
  service: 'tracker',
  access: project('anyone', { feature: 'issues', signedIn: true }),
  id: 'issue-todo',
  method: 'POST',
  path: `${issuePath}/todo`,
  summary: 'Put an issue on the to-do list of the caller; 304 where it is on it',
  spec: 'api-v4 L243',
  params: { id: idOrPath(), issue_iid: required(int()) },
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
    action: oneOf(
      'assigned',
      'mentioned',
      'build_failed',
      'marked',
      'approval_required',
      'unmergeable',
      'directly_addressed',
      'merge_train_removed',
    ),
    author_id: int(),
    project_id: int(),
    group_id: int(),
    state: fallback(oneOf('pending', 'done'), 'pending'),
    type: oneOf('Issue', 'MergeRequest', 'DesignManagement::Design', 'AlertManagement::Alert', 'Epic'),
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
  params: { id: required(int()) },
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
