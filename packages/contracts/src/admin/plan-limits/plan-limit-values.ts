const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** Limits of the plan `default` until they are set, in bytes [L375]; 0 stands for none. */
export const PLAN_LIMIT_DEFAULTS = {
  conan_max_file_size: 3 * GIB,
  generic_packages_max_file_size: 5 * GIB,
  helm_max_file_size: 5 * MIB,
  maven_max_file_size: 3 * GIB,
  npm_max_file_size: 500 * MIB,
  nuget_max_file_size: 500 * MIB,
  pypi_max_file_size: 3 * GIB,
  terraform_module_max_file_size: GIB,
};

export type PlanLimitName = keyof typeof PLAN_LIMIT_DEFAULTS;
export const PLAN_LIMIT_NAMES = Object.keys(PLAN_LIMIT_DEFAULTS) as PlanLimitName[];

/** The plans that there are: an installation of one's own has one. */
export const PLANS = ['default'] as const;
