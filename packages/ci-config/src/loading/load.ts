import { deepMerge, type MapNode, mapNode } from '../document/node.ts';
import { parseYaml } from '../document/parse-yaml.ts';
import { type Place, SourceFile } from '../document/source-file.ts';
import type { Limits } from '../limits.ts';
import type { RuleEvaluator } from '../planning/rule-evaluator.ts';
import type { IncludeReference, Origin, Ports } from '../ports.ts';
import { type Problems, Refusal } from '../problem.ts';
import { ExpansionError, type VariableScope } from '../variables/scope.ts';
import { resolveExtends } from './extends.ts';
import { type IncludeEntry, includeEntries, mapReference } from './include-entry.ts';
import { nameOf, nameProblem, refusalText } from './include-errors.ts';
import { resolveReferences } from './references.ts';

export interface LoadOptions {
  ports: Pick<Ports, 'readInclude'>;
  origin: Origin;
  limits: Limits;
  problems: Problems;
  /** Expand names of included files. */
  variables: VariableScope;
  evaluator: RuleEvaluator;
}

interface LoadedFile {
  file: SourceFile;
  origin: Origin;
  /** Files that led here, the root first. */
  path: readonly string[];
}

/**
 * Resolves includes, then `extends`, then references. Later includes override earlier ones, and the including file
 * overrides them all.
 * @throws Refusal
 */
export async function loadConfiguration(file: SourceFile, options: LoadOptions): Promise<MapNode> {
  const { limits } = options;
  const merged = await new Loader(options).load({ file, origin: options.origin, path: [] });
  const extended = resolveExtends(bounded(merged, limits), limits.expandedSize);
  return bounded(resolveReferences(bounded(extended, limits)), limits);
}

function bounded(node: MapNode, { expandedSize }: Limits): MapNode {
  if (node.size > expandedSize)
    throw new Refusal(
      node,
      'The parsed YAML is too big once includes, extends and references are in their places',
    );
  return node;
}

class Loader {
  readonly #options: LoadOptions;
  #characters = 0;
  #includes = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  async load(loaded: LoadedFile): Promise<MapNode> {
    const own = this.#parse(loaded);
    let below: MapNode | null = null;
    for (const entry of includeEntries(own, this.#options.problems)) {
      if (!(await this.#isWanted(entry))) continue;
      for (const written of entry.references) {
        const reference = this.#expanded(written, entry.place);
        for (const found of await this.#read(reference, entry.place, loaded)) {
          const included = await this.load(found);
          below = bounded(below ? deepMerge(below, included) : included, this.#options.limits);
        }
      }
    }
    const entries = new Map(own.entries);
    entries.delete('include');
    const rest = mapNode(entries, own);
    return below ? deepMerge(below, rest) : rest;
  }

  #parse({ file, path }: LoadedFile): MapNode {
    const { limits, problems } = this.#options;
    this.#characters += file.text.length;
    if (this.#characters > limits.characters)
      throw new Refusal(
        { file, offset: 0 },
        `The configuration is too big: all its files together may have ${limits.characters} characters`,
      );
    if (path.length === 0 && file.text.trim() === '')
      throw new Refusal({ file, offset: 0 }, `Please provide content of ${file.name}`);
    const root = parseYaml(file, limits, problems);
    if (root.kind === 'map') return root;
    throw new Refusal(
      root,
      path.length === 0
        ? 'Invalid configuration format'
        : `Included file \`${file.name}\` does not have valid YAML syntax!`,
    );
  }

  async #isWanted({ rules, place }: IncludeEntry): Promise<boolean> {
    if (!rules) return true;
    const { evaluator, variables } = this.#options;
    const rule = await guarded(place, () => evaluator.firstMatch(rules, variables));
    return rule !== undefined && rule.when !== 'never';
  }

  #expanded(reference: IncludeReference, place: Place): IncludeReference {
    try {
      return mapReference(reference, (text) => this.#options.variables.expand(text));
    } catch (error) {
      throw refusalOf(error, place);
    }
  }

  async #read(reference: IncludeReference, place: Place, from: LoadedFile): Promise<LoadedFile[]> {
    const refuse = (message: string) => new Refusal(place, message, { keyword: 'include' });
    const wrong = nameProblem(reference);
    if (wrong) throw refuse(wrong);
    const answer = await this.#options.ports.readInclude(reference, from.origin);
    if ('refused' in answer) throw refuse(refusalText(reference, answer));
    if (answer.files.length === 0) throw refuse(refusalText(reference, { refused: 'no file' }));
    this.#includes += answer.files.length;
    const { includes } = this.#options.limits;
    if (this.#includes > includes) throw refuse(`Maximum of ${includes} nested includes are allowed!`);
    const path = [...from.path, from.file.name];
    return answer.files.map(({ name, text }) => {
      if (path.includes(name))
        throw refuse(
          `Include \`${nameOf(reference)}\` was already included! (${[...path, name].join(' → ')})`,
        );
      if (text.trim() === '')
        throw refuse(`Included file \`${nameOf(reference)}\` is empty or does not exist!`);
      return { file: new SourceFile(name, text), origin: answer.origin ?? from.origin, path };
    });
  }
}

const refusalOf = (error: unknown, place: Place) =>
  error instanceof ExpansionError ? new Refusal(place, error.message, { keyword: 'include' }) : error;

async function guarded<T>(place: Place, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error, place);
  }
}
