import type { ConfiguredVariable, Variable, VariableLevels } from './variable.ts';

export interface JobPlace {
  isProtectedRef: boolean;
  /** Name of the job's environment with its variables expanded; null where it has none. */
  environment: string | null;
}

/**
 * Returns the variables of settings that a job may have, weakest first. Within a level, the most specific environment
 * scope wins.
 */
export function configuredVariables(
  { instance, groups, project }: VariableLevels,
  place: JobPlace,
): Variable[] {
  return [instance, ...groups, project].flatMap((level) => chosen(level, place));
}

function chosen(level: readonly ConfiguredVariable[], { isProtectedRef, environment }: JobPlace): Variable[] {
  const best = new Map<string, ConfiguredVariable>();
  for (const variable of level) {
    if (variable.protected && !isProtectedRef) continue;
    if (!fits(variable.environmentScope, environment)) continue;
    const other = best.get(variable.key);
    if (!other || specificity(variable, environment) >= specificity(other, environment))
      best.set(variable.key, variable);
  }
  return [...best.values()].map(({ key, value, masked, file }) => ({
    key,
    value,
    public: false,
    masked,
    file,
  }));
}

function specificity({ environmentScope }: ConfiguredVariable, environment: string | null): number {
  return environmentScope === environment ? Number.POSITIVE_INFINITY : environmentScope.length;
}

/** Searches each part behind the one before, which needs no backtracking. */
export function fits(scope: string, environment: string | null): boolean {
  if (scope === '*') return true;
  if (environment === null) return false;
  const [first, ...rest] = scope.split('*');
  if (rest.length === 0) return scope === environment;
  if (!environment.startsWith(first!)) return false;
  let at = first!.length;
  const last = rest.pop()!;
  for (const part of rest) {
    const found = environment.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return environment.length - last.length >= at && environment.endsWith(last);
}

/** Variables of a job by origin. */
export interface VariableSources {
  /** The results of `pipelineVariables`, `jobVariables` and `runVariables`. */
  predefined: readonly Variable[];
  /** Variables of the planned job. */
  yaml: readonly Variable[];
  /** From reports of jobs before it. */
  inherited: readonly Variable[];
  levels: VariableLevels;
}

/** Returns each key once, with the value of the strongest level. */
export function variablesForRunner(
  { predefined, yaml, inherited, levels }: VariableSources,
  place: JobPlace,
): Variable[] {
  const configured = configuredVariables(levels, place);
  const all = [...predefined, ...yaml, ...inherited, ...configured, ...levels.pipeline];
  return [...new Map(all.map((variable) => [variable.key, variable])).values()];
}
