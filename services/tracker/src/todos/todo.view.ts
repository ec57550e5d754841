import { todoView } from '@forgelog/contracts/tracker/todos/todo.api.ts';
import type { DirectoryProject } from '@forgelog/directory/collections.ts';
import type { JsonTemplate } from '@forgelog/service-kit/json-template.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { given, host, made, text } from '@forgelog/service-kit/view-parts.ts';
import { projectPath, user } from '@forgelog/service-kit/view-placeholders.ts';
import type { TodoDocument } from './todos.collection.ts';

/** A to-do item with its project and its target as they are now. */
export interface ShownTodo extends TodoDocument {
  project: DirectoryProject;
  target: JsonTemplate;
  /** Where a browser finds the target, below the address of its project. */
  webPath: string;
}

/** To-do item [L102]. */
export const todoJson = implementView(todoView).from<ShownTodo>({
  id: 'id',
  author: user('authorId'),
  action_name: 'action',
  target_type: 'targetType',
  target_url: text`${host}/${projectPath('projectId')}${'webPath'}`,
  body: 'text',
  created_at: 'createdAt',
  state: 'state',
  project: {
    id: given(({ project }: ShownTodo) => project.id),
    name: given(({ project }: ShownTodo) => project.name),
    name_with_namespace: given(({ project }: ShownTodo) => project.fullName),
    path: given(({ project }: ShownTodo) => project.path),
    path_with_namespace: given(({ project }: ShownTodo) => project.fullPath),
  },
  target: made(({ target }: ShownTodo) => target),
});
