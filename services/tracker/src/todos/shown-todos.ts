import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { JsonTemplate } from '@forgelog/service-kit/json-template.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { TargetKind } from '../targets/target.ts';
import { type TargetRef, targetKey } from '../targets/target-ref.ts';
import { type ShownTodo, todoProject } from './todo.view.ts';
import { isAccessTodo, type TodoDocument } from './todos.collection.ts';

const ACCESS_REQUESTS = 'tab=access_requests';

const refOf = ({ projectId, targetType, targetId, targetIid }: TodoDocument): TargetRef => ({
  projectId: projectId!,
  type: targetType as TargetRef['type'],
  id: targetId,
  iid: targetIid!,
});

/** An item about a request for access; undefined where the place is gone. It says where the place is now. */
async function shownAccessTodo(
  { directory }: Pick<ServicePorts, 'directory'>,
  todo: TodoDocument,
): Promise<ShownTodo | undefined> {
  const target = new JsonTemplate();
  if (todo.projectId !== null) {
    const project = await directory.project(todo.projectId);
    if (!project) return undefined;
    const { fullPath } = project;
    target.text(JSON.stringify(todoProject(project)));
    const page = `${fullPath}/-/project_members?${ACCESS_REQUESTS}`;
    return { ...todo, text: fullPath, project, group: undefined, target, page };
  }
  const group = await directory.namespace(todo.targetId);
  if (!group) return undefined;
  const { fullPath } = group;
  target.placeholder(`m${group.id}`);
  const page = `groups/${fullPath}/-/group_members?${ACCESS_REQUESTS}`;
  return { ...todo, text: fullPath, project: undefined, group: target, target, page };
}

/** The items with their projects and targets, which are read once for all; without items that lost one of them. */
export async function shownTodos(
  ports: ServicePorts,
  kinds: readonly TargetKind[],
  todos: readonly TodoDocument[],
  principal: Principal,
): Promise<ShownTodo[]> {
  const targets = new Map<string, { target: JsonTemplate; webPath(iid: number): string }>();
  for (const { contract, todos: shows } of kinds) {
    const refs = todos.filter(({ targetType }) => targetType === contract.type).map(refOf);
    if (!shows || refs.length === 0) continue;
    for (const [key, target] of await shows.show(ports, refs, principal))
      targets.set(key, { target, webPath: shows.webPath });
  }
  const shown = todos.map(async (todo) => {
    if (isAccessTodo(todo)) return shownAccessTodo(ports, todo);
    const project = await ports.directory.project(todo.projectId!);
    const found = targets.get(targetKey(refOf(todo)));
    if (!project || !found) return undefined;
    const page = project.fullPath + found.webPath(todo.targetIid!);
    return { ...todo, project, group: undefined, target: found.target, page };
  });
  return (await Promise.all(shown)).filter((todo) => todo !== undefined);
}
