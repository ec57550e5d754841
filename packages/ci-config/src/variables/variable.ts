/** A variable as a runner gets it. */
export interface Variable {
  key: string;
  value: string;
  /** False for variables of settings, whose values are not shown. */
  public: boolean;
  masked: boolean;
  /** The runner writes the value to a file, and the variable holds its path. */
  file: boolean;
}

/** A variable of the instance, a group or a project. */
export interface ConfiguredVariable extends Omit<Variable, 'public'> {
  /** Only jobs of protected branches and tags get it. */
  protected: boolean;
  /** Name of an environment; `*` matches any text. */
  environmentScope: string;
}

/** From the weakest level to the strongest. */
export interface VariableLevels {
  instance: readonly ConfiguredVariable[];
  /** One list for each parent group, the outermost first. */
  groups: readonly (readonly ConfiguredVariable[])[];
  project: readonly ConfiguredVariable[];
  /** Given with the pipeline: by a trigger, a schedule, a parent pipeline or a person. */
  pipeline: readonly Variable[];
}

export const NO_VARIABLES: VariableLevels = { instance: [], groups: [], project: [], pipeline: [] };

export const publicVariable = (key: string, value: string): Variable => ({
  key,
  value,
  public: true,
  masked: false,
  file: false,
});
