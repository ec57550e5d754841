import {
  type Entry,
  listNode,
  type MapNode,
  mapNode,
  type Node,
  type ReferenceNode,
} from '../document/node.ts';
import { REFERENCE_DEPTH } from '../limits.ts';
import { Refusal } from '../problem.ts';

/**
 * Replaces each `!reference [job, keyword]` by its target. Each node is resolved once.
 * @throws Refusal
 */
export function resolveReferences(root: MapNode): MapNode {
  const resolved = new Map<Node, Node>();
  const open = new Set<ReferenceNode>();

  const resolve = (node: Node): Node => {
    if (node.kind === 'scalar') return node;
    const known = resolved.get(node);
    if (known) return known;
    const result = node.kind === 'reference' ? follow(node) : withResolvedParts(node, resolve);
    resolved.set(node, result);
    return result;
  };

  const follow = (reference: ReferenceNode): Node => {
    const text = `!reference ${JSON.stringify(reference.path)}`;
    if (open.has(reference)) throw new Refusal(reference, `${text} is part of a circular chain`);
    if (open.size >= REFERENCE_DEPTH)
      throw new Refusal(
        reference,
        `${text} is nested too deeply: at most ${REFERENCE_DEPTH} references lead to each other`,
      );
    open.add(reference);
    let target: Node | undefined = root;
    for (const name of reference.path) {
      // The path may lead through another reference.
      const step: Node | undefined = target?.kind === 'reference' ? resolve(target) : target;
      target = step?.kind === 'map' ? step.entries.get(name)?.value : undefined;
    }
    if (!target) throw new Refusal(reference, `${text} could not be found`);
    const result = resolve(target);
    open.delete(reference);
    return result;
  };

  return resolve(root) as MapNode;
}

/** Returns the same node if no part changed. */
function withResolvedParts(node: Exclude<Node, ReferenceNode>, resolve: (part: Node) => Node): Node {
  if (node.kind === 'list') {
    const items = node.items.map(resolve);
    return items.every((item, index) => item === node.items[index]) ? node : listNode(items, node);
  }
  if (node.kind !== 'map') return node;
  let changed = false;
  const entries = new Map<string, Entry>();
  for (const [name, { value, key }] of node.entries) {
    const result = resolve(value);
    changed ||= result !== value;
    entries.set(name, { value: result, key });
  }
  return changed ? mapNode(entries, node) : node;
}
