import type { RefPolicy } from '../configuration.ts';
import { splitRef } from '../keywords/ref-policy.ts';
import { compilePattern } from '../patterns/regular-expression.ts';
import type { VariableScope } from '../variables/scope.ts';
import type { PipelineContext } from './context.ts';
import type { RuleEvaluator } from './rule-evaluator.ts';

/** Keywords of `only` and `except` that match this event. */
function words({ refKind, source }: PipelineContext): string[] {
  const name = source.replace(/_event$/, '');
  const plural = name === 'push' ? 'pushes' : `${name}s`;
  const found = [source, name, plural];
  if (refKind === 'tag') found.push('tags');
  if (refKind === 'branch') found.push('branches');
  return found;
}

/** All conditions of `only` must hold, and none of `except`. */
export async function passesPolicies(
  { only, except }: { only: RefPolicy | null; except: RefPolicy | null },
  context: PipelineContext,
  variables: VariableScope,
  evaluator: RuleEvaluator,
): Promise<boolean> {
  if (only)
    for (const condition of conditions(only, context, variables, evaluator))
      if (!(await condition())) return false;
  if (except)
    for (const condition of conditions(except, context, variables, evaluator))
      if (await condition()) return false;
  return true;
}

function conditions(
  policy: RefPolicy,
  context: PipelineContext,
  variables: VariableScope,
  evaluator: RuleEvaluator,
) {
  const found: (() => boolean | Promise<boolean>)[] = [];
  if (policy.has.refs) found.push(() => policy.refs.some((ref) => fitsRef(ref, context)));
  if (policy.kubernetes) found.push(() => context.hasKubernetes);
  if (policy.has.variables)
    found.push(() => policy.variables.some((expression) => expression((name) => variables.value(name))));
  const { changes } = policy;
  if (changes) found.push(() => evaluator.hasChanges(changes, variables));
  return found;
}

function fitsRef(written: string, context: PipelineContext): boolean {
  const { ref, project } = splitRef(written);
  if (project !== null && project !== context.projectPath) return false;
  if (ref === context.ref || words(context).includes(ref)) return true;
  return ref.startsWith('/') && (compilePattern(ref)?.test(context.ref) ?? false);
}
