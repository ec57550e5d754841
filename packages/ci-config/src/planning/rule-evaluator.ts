import type { PathPatterns, Rule } from '../configuration.ts';
import type { Limits } from '../limits.ts';
import { compileGlob, type Glob } from '../patterns/glob.ts';
import type { Ports } from '../ports.ts';
import type { Problems } from '../problem.ts';
import type { VariableScope } from '../variables/scope.ts';

/** Evaluates rules against one commit. All jobs share the answers of the ports. */
export class RuleEvaluator {
  readonly #ports: Pick<Ports, 'fileExists' | 'changedPaths'>;
  readonly #problems: Problems;
  readonly #changes = new Map<string, boolean>();
  readonly #exists = new Map<string, Promise<boolean>>();
  #paths: Promise<readonly string[] | null> | undefined;
  #comparisons: number;

  constructor(ports: Pick<Ports, 'fileExists' | 'changedPaths'>, limits: Limits, problems: Problems) {
    this.#ports = ports;
    this.#problems = problems;
    this.#comparisons = limits.pathComparisons;
  }

  /** @throws ExpansionError */
  async firstMatch(rules: readonly Rule[], variables: VariableScope): Promise<Rule | undefined> {
    for (const rule of rules) {
      if (rule.if && !rule.if((name) => variables.value(name))) continue;
      if (rule.changes && !(await this.hasChanges(rule.changes, variables))) continue;
      if (rule.exists && !(await this.#hasFile(rule.exists, variables))) continue;
      return rule;
    }
    return undefined;
  }

  /** Unknown changes count as a match. */
  async hasChanges(wanted: PathPatterns, variables: VariableScope): Promise<boolean> {
    this.#paths ??= this.#ports.changedPaths();
    const paths = await this.#paths;
    if (!paths) return true;
    return globsOf(wanted, variables).some((glob) => this.#changed(glob, wanted, paths));
  }

  #changed(glob: Glob, { place }: PathPatterns, paths: readonly string[]): boolean {
    const known = this.#changes.get(glob.text);
    if (known !== undefined) return known;
    if (this.#comparisons < paths.length) {
      this.#problems.warn(
        place,
        `there are too many paths to compare with ${glob.text}; it counts as matching`,
      );
      return true;
    }
    this.#comparisons -= paths.length;
    const result = paths.some((path) => glob.matches(path));
    this.#changes.set(glob.text, result);
    return result;
  }

  async #hasFile(wanted: PathPatterns, variables: VariableScope): Promise<boolean> {
    for (const glob of globsOf(wanted, variables)) {
      const asked = this.#exists.get(glob.text) ?? this.#ports.fileExists(glob);
      this.#exists.set(glob.text, asked);
      if (await asked) return true;
    }
    return false;
  }
}

/** A pattern that is invalid after expansion matches nothing. */
function globsOf({ patterns }: PathPatterns, variables: VariableScope): Glob[] {
  return patterns
    .map((pattern) => compileGlob(variables.expand(pattern, { keepUnknown: true })))
    .filter((glob) => glob !== null);
}
