import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { JsonTemplate } from '@forgelog/service-kit/json-template.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { TargetKind } from '../targets/target.ts';
import { type TargetRef, targetKey } from '../targets/target-ref.ts';
import type { ShownTodo } from './todo.view.ts';
import type { TodoDocument } from './todos.collection.ts';

const refOf = ({ projectId, targetType, targetId, targetIid }: TodoDocument): TargetRef => ({
  projectId: projectId,
  type: targetType as TargetRef['type'],
  id: targetId,
  iid: targetIid,
});

/** The items with their projects and targets, which are read once for all; without items that lost one of them. */
export async function shownTodos(
  ports: ServicePorts,
  kinds: readonly TargetKind[],
  todos: readonly TodoDocument[],
  principal: Principal,
): Promise<ShownTodo[]> {
  const targets = new Map<string, { target: JsonTemplate; webPath(iid: number): string }>();
  for (const { contract, todos: shows } of kinds) {
    const refs = todos.map(refOf).filter(({ type }) => type === contract.type);
    if (!shows || refs.length === 0) continue;
    for (const [key, target] of await shows.show(ports, refs, principal))
      targets.set(key, { target, webPath: shows.webPath });
  }
  const shown = todos.map(async (todo) => {
    const project = await ports.directory.project(todo.projectId);
    const found = targets.get(targetKey(refOf(todo)));
    if (!project || !found) return undefined;
    return { ...todo, project, target: found.target, webPath: found.webPath(todo.targetIid) };
  });
  return (await Promise.all(shown)).filter((todo) => todo !== undefined);
}
