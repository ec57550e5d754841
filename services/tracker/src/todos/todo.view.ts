import { todoView } from '@forgelog/contracts/tracker/todos/todo.api.ts';
import type { DirectoryProject } from '@forgelog/directory/collections.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { given, host, nested, text } from '@forgelog/service-kit/view-parts.ts';
import { projectPath, user } from '@forgelog/service-kit/view-placeholders.ts';
import { issueJson } from '../issues/issue.view.ts';
import type { IssueDocument } from '../issues/issues.collection.ts';
import type { TodoDocument } from './todos.collection.ts';

/** A to-do item with its project and its target as they are now. */
export interface ShownTodo extends TodoDocument {
  project: DirectoryProject;
  target: IssueDocument;
}

/** To-do item [L102]. */
export const todoJson = implementView(todoView).from<ShownTodo>({
  id: 'id',
  author: user('authorId'),
  action_name: 'action',
  target_type: 'targetType',
  target_url: text`${host}/${projectPath('projectId')}/-/issues/${'targetIid'}`,
  body: 'text',
  created_at: 'createdAt',
  state: 'state',
  project: {
    id: given(({ project }: ShownTodo) => project.id),
    name: given(({ project }: ShownTodo) => project.name!),
    name_with_namespace: given(({ project }: ShownTodo) => project.fullName!),
    path: given(({ project }: ShownTodo) => project.path!),
    path_with_namespace: given(({ project }: ShownTodo) => project.fullPath!),
  },
  target: nested(issueJson, ({ target }: ShownTodo) => target, { across: true, labelDetails: false }),
});
