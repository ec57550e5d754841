import type { Configuration } from './configuration.ts';
import type { MapNode } from './document/node.ts';
import { printYaml } from './document/print-yaml.ts';
import { SourceFile } from './document/source-file.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { loadConfiguration } from './loading/load.ts';
import { type PipelineContext, Scopes } from './planning/context.ts';
import { type Plan, planPipeline } from './planning/plan-pipeline.ts';
import { RuleEvaluator } from './planning/rule-evaluator.ts';
import type { Origin, Ports } from './ports.ts';
import { type Problem, Problems } from './problem.ts';
import { readConfiguration } from './read-configuration.ts';

export interface CompileInput {
  /** Path of the root file, for errors. */
  path: string;
  text: string;
  origin: Origin;
  context: PipelineContext;
  ports: Ports;
  limits?: Partial<Limits>;
}

export interface Compiled {
  /** Null after errors. */
  configuration: Configuration | null;
  errors: readonly Problem[];
  warnings: readonly Problem[];
  /** Prints the configuration as one file; null if it could not be merged. */
  mergedYaml(): string | null;
  /** Chooses the jobs for the context, and finds errors that depend on it. */
  plan(): Promise<Plan>;
}

/** Reads a configuration and its includes. No text makes it throw or run without bound. */
export async function compile(input: CompileInput): Promise<Compiled> {
  const { path, text, origin, context, ports } = input;
  const limits = { ...DEFAULT_LIMITS, ...input.limits };
  const problems = new Problems(limits.errors);
  const evaluator = new RuleEvaluator(ports, limits, problems);
  const variables = new Scopes(context, limits).scope(new Map());
  let merged: MapNode | null = null;
  let configuration: Configuration | null = null;
  try {
    const options = { ports, origin, limits, problems, variables, evaluator };
    merged = await loadConfiguration(new SourceFile(path, text), options);
    configuration = readConfiguration(merged, limits, problems);
  } catch (error) {
    problems.addThrown(error);
  }
  const errors = problems.listed();
  return {
    configuration,
    errors,
    warnings: problems.warnings,
    mergedYaml: () => merged && printYaml(merged),
    plan: async () =>
      configuration
        ? await planPipeline(configuration, { context, limits, ports })
        : { kind: 'invalid', errors, warnings: [] },
  };
}
