import type { Rule } from '../configuration.ts';
import { isText, type MapNode, type Node, valueAt } from '../document/node.ts';
import { Location } from '../keywords/location.ts';
import { attribute, filledText, readFields, textOrTexts } from '../keywords/reader.ts';
import { PIPELINE_RULES, rules } from '../keywords/rules.ts';
import type { IncludeReference } from '../ports.ts';
import { type Problems, Refusal } from '../problem.ts';

/** One item of `include`, not expanded yet. */
export interface IncludeEntry {
  references: readonly IncludeReference[];
  rules: readonly Rule[] | null;
  place: Node;
}

const ACCESSORS = ['local', 'project', 'template', 'remote', 'file'] as const;
const FIELDS = {
  local: attribute(filledText),
  project: attribute(filledText),
  template: attribute(filledText),
  remote: attribute(filledText),
  file: attribute(textOrTexts),
  ref: attribute(filledText),
  rules: attribute(rules(PIPELINE_RULES)),
};

/** @throws Refusal for an item that names no file */
export function includeEntries(root: MapNode, problems: Problems): IncludeEntry[] {
  const node = valueAt(root, 'include');
  if (!node || (node.kind === 'scalar' && node.value === null)) return [];
  const items = node.kind === 'list' ? node.items : [node];
  return items.map((item) => includeEntry(item, problems));
}

function includeEntry(node: Node, problems: Problems): IncludeEntry {
  if (isText(node)) return { references: [ofText(node.value)], rules: null, place: node };
  if (node.kind !== 'map')
    throw new Refusal(node, 'include config should be a string, a hash or an array of them', {
      keyword: 'include',
    });
  const before = problems.errors.length;
  const read = readFields(node, Location.root(problems).part('include'), FIELDS);
  const references = problems.errors.length > before ? [] : referencesOf(read);
  if (references) return { references, rules: read.rules ?? null, place: node };
  const given = ACCESSORS.filter((key) => node.entries.has(key)).join(', ');
  throw new Refusal(
    node,
    `Include needs to match exactly one accessor of local, project and file, template and remote; it has ${given || 'none'}`,
    { keyword: 'include' },
  );
}

type Read = ReturnType<typeof readFields<typeof FIELDS>>;

function referencesOf({ local, project, template, remote, file, ref }: Read): IncludeReference[] | null {
  const given = [local, project, template, remote].filter((one) => one !== undefined);
  if (given.length !== 1) return null;
  if (project !== undefined)
    return file?.map((path) => ({ kind: 'project', project, ref: ref ?? null, path })) ?? null;
  if (local !== undefined) return [{ kind: 'local', path: local }];
  if (template !== undefined) return [{ kind: 'template', name: template }];
  return [{ kind: 'remote', url: remote! }];
}

const ofText = (text: string): IncludeReference =>
  /^https?:\/\//.test(text) ? { kind: 'remote', url: text } : { kind: 'local', path: text };

/** Applies `expand` to each text of a reference. */
export function mapReference(
  reference: IncludeReference,
  expand: (text: string) => string,
): IncludeReference {
  switch (reference.kind) {
    case 'local':
      return { ...reference, path: expand(reference.path) };
    case 'template':
      return { ...reference, name: expand(reference.name) };
    case 'remote':
      return { ...reference, url: expand(reference.url) };
    case 'project': {
      const { project, ref, path } = reference;
      return { ...reference, project: expand(project), ref: ref && expand(ref), path: expand(path) };
    }
    default:
      return reference satisfies never;
  }
}
