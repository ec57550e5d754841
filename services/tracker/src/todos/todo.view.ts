import { todoView } from '@forgelog/contracts/tracker/todos/todo.api.ts';
import type { DirectoryProject } from '@forgelog/directory/collections.ts';
import type { JsonTemplate } from '@forgelog/service-kit/json-template.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { ifGiven, ifMade } from '@forgelog/service-kit/view-optional.ts';
import { host, made, text } from '@forgelog/service-kit/view-parts.ts';
import { user } from '@forgelog/service-kit/view-placeholders.ts';
import type { TodoDocument } from './todos.collection.ts';

/** A to-do item with its place and its target as they are now. */
export interface ShownTodo extends TodoDocument {
  /** Undefined for a request for access to a group. */
  project: DirectoryProject | undefined;
  group: JsonTemplate | undefined;
  target: JsonTemplate;
  /** Where a browser finds the target, below the address of the instance. */
  page: string;
}

/** A project as to-do items show it. */
export const todoProject = ({ id, name, fullName, path, fullPath }: DirectoryProject) => ({
  ...{ id, name, name_with_namespace: fullName, path, path_with_namespace: fullPath },
});

/** To-do item [L102]. */
export const todoJson = implementView(todoView).from<ShownTodo>({
  id: 'id',
  author: user('authorId'),
  action_name: 'action',
  target_type: 'targetType',
  target_url: text`${host}/${'page'}`,
  body: 'text',
  created_at: 'createdAt',
  state: 'state',
  project: ifGiven(({ project }: ShownTodo) => project && todoProject(project)),
  group: ifMade(({ group }: ShownTodo) => group),
  target: made(({ target }: ShownTodo) => target),
});
