import {
  deepMerge,
  type Entry,
  isNull,
  isText,
  type MapNode,
  mapNode,
  type Node,
  valueAt,
} from '../document/node.ts';
import { EXTENDS_DEPTH } from '../limits.ts';
import { Refusal } from '../problem.ts';

/**
 * Merges the jobs that a job extends into it. Its own keywords win.
 * @throws Refusal
 */
export function resolveExtends(root: MapNode, expandedSize: number): MapNode {
  const resolved = new Map<string, { job: MapNode; depth: number }>();
  const path: string[] = [];
  let merged = 0;

  const resolve = (name: string): { job: MapNode; depth: number } => {
    const known = resolved.get(name);
    if (known) return known;
    const job = root.entries.get(name)!.value as MapNode;
    const bases = basesOf(name, job, root);
    if (path.includes(name)) throw refusal(name, job, 'circular dependency detected in `extends`');
    if (path.length > EXTENDS_DEPTH) throw tooDeep(path[0]!);
    path.push(name);
    let base: MapNode | null = null;
    let depth = 0;
    for (const one of bases) {
      const below = resolve(one);
      depth = Math.max(depth, below.depth + 1);
      base = base ? deepMerge(base, below.job) : below.job;
      merged += below.job.entries.size;
    }
    path.pop();
    if (depth > EXTENDS_DEPTH) throw tooDeep(name);
    const result = { job: withoutExtends(base ? deepMerge(base, job) : job), depth };
    merged += result.job.entries.size;
    if (merged > expandedSize || result.job.size > expandedSize)
      throw refusal(name, job, 'its `extends` make the configuration too big');
    resolved.set(name, result);
    return result;
  };

  const tooDeep = (name: string) => {
    const job = root.entries.get(name)!.value as MapNode;
    return refusal(name, job, `nesting too deep in \`extends\`: at most ${EXTENDS_DEPTH} levels`);
  };

  const entries = new Map<string, Entry>();
  for (const [name, { value, key }] of root.entries)
    entries.set(name, { value: value.kind === 'map' ? resolve(name).job : value, key });
  return mapNode(entries, root);
}

function basesOf(name: string, job: MapNode, root: MapNode): string[] {
  const node = valueAt(job, 'extends');
  if (!node || isNull(node)) return [];
  const items: readonly Node[] = node.kind === 'list' ? node.items : [node];
  if (!items.every(isText))
    throw refusal(name, job, '`extends` should be a name of a job, or a list of names');
  const names = items.map((item) => item.value as string);
  const unknown = names.filter((base) => !root.entries.has(base));
  if (unknown.length > 0) throw refusal(name, job, `unknown keys in \`extends\` (${unknown.join(', ')})`);
  const invalid = names.filter((base) => root.entries.get(base)!.value.kind !== 'map');
  if (invalid.length > 0)
    throw refusal(name, job, `invalid base hashes in \`extends\` (${invalid.join(', ')})`);
  return names;
}

const refusal = (name: string, job: MapNode, message: string) =>
  new Refusal(job.entries.get('extends')?.key ?? job, `${name}: ${message}`, {
    job: name,
    keyword: 'extends',
  });

/** Drops the keyword, so that reading the merged configuration does not merge the bases again. */
function withoutExtends(job: MapNode): MapNode {
  if (!job.entries.has('extends')) return job;
  const entries = new Map(job.entries);
  entries.delete('extends');
  return mapNode(entries, job);
}
