import type { Limits } from '../limits.ts';
import type { PipelineSource, RefKind } from '../pipeline.ts';
import { configuredVariables } from '../variables/levels.ts';
import { type Layer, VariableScope } from '../variables/scope.ts';
import type { Variable, VariableLevels } from '../variables/variable.ts';

/** The event that a pipeline is made for. */
export interface PipelineContext {
  source: PipelineSource;
  ref: string;
  refKind: RefKind;
  isProtectedRef: boolean;
  /** Full path, compared with `only: [main@group/project]`. */
  projectPath: string;
  /** Answers `only:kubernetes`. */
  hasKubernetes: boolean;
  /** The result of `pipelineVariables`. */
  predefined: readonly Variable[];
  variables: VariableLevels;
}

export const layerOf = (variables: readonly Variable[]): Layer =>
  new Map(variables.map(({ key, value }) => [key, value]));

const NONE: Layer = new Map();

/** Creates the variable scopes of a pipeline and its jobs; they share layers. */
export class Scopes {
  readonly #context: PipelineContext;
  readonly #longest: number;
  readonly #predefined: Layer;
  readonly #pipeline: Layer;
  readonly #unscoped: Layer;

  constructor(context: PipelineContext, limits: Limits) {
    this.#context = context;
    this.#longest = limits.expandedText;
    this.#predefined = layerOf(context.predefined);
    this.#pipeline = layerOf(context.variables.pipeline);
    const { variables, isProtectedRef } = context;
    this.#unscoped = layerOf(configuredVariables(variables, { isProtectedRef, environment: null }));
  }

  /** Layers from weakest to strongest: predefined, job, configuration, settings, pipeline. */
  scope(yaml: Layer, job: Layer = NONE, environment: string | null = null): VariableScope {
    const layers = [this.#predefined, job, yaml, this.#configuredFor(environment), this.#pipeline];
    return new VariableScope(
      layers.filter(({ size }) => size > 0),
      this.#longest,
    );
  }

  #configuredFor(environment: string | null): Layer {
    if (environment === null) return this.#unscoped;
    const { variables, isProtectedRef } = this.#context;
    return layerOf(configuredVariables(variables, { isProtectedRef, environment }));
  }
}
