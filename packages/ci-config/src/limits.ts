/** Bounds that keep the cost of a hostile configuration linear and small. */
export interface Limits {
  /** Characters of all files of one configuration together. */
  characters: number;
  /** Levels of lists and mappings inside each other. */
  depth: number;
  /** Size with every alias, `extends` and `!reference` written out: characters, plus 8 for each value. */
  expandedSize: number;
  includes: number;
  /** Jobs of one pipeline, counting each copy of a parallel job. */
  jobs: number;
  /** Errors that are listed; further ones are only counted. */
  errors: number;
  /** Comparisons of a path with a pattern of `changes` or `exists`. */
  pathComparisons: number;
  jobVariables: number;
  /** Characters of one value with its variables expanded. */
  expandedText: number;
}

export const DEFAULT_LIMITS: Limits = {
  characters: 1024 * 1024,
  depth: 100,
  expandedSize: 16 * 1024 * 1024,
  includes: 100,
  jobs: 5000,
  errors: 100,
  pathComparisons: 1_000_000,
  jobVariables: 2_000_000,
  expandedText: 256 * 1024,
};

/** Fixed limits of the language. */
export const EXTENDS_DEPTH = 10;
export const REFERENCE_DEPTH = 10;
export const RULES_DEPTH = 10;
export const PARALLEL_JOBS = 200;
export const NEEDS = 50;
export const CROSS_PROJECT_NEEDS = 5;
export const CHILD_INCLUDES = 3;
export const CACHES = 4;
export const PATTERNS = 50;
export const NAME_LENGTH = 255;
