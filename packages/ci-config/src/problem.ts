import type { Place } from './document/source-file.ts';
import { ExpansionError } from './variables/scope.ts';

/** An error or warning. */
export interface Problem {
  /** In the form that clients know: `jobs:test:tags config should be an array of strings`. */
  message: string;
  /** Null for a problem without a place. */
  file: string | null;
  line: number | null;
  job: string | null;
  /** Path from the root or the job, such as `artifacts:expire_in`. */
  keyword: string | null;
}

export interface ProblemContext {
  job?: string | null;
  keyword?: string | null;
}

export function problemAt(
  place: Place | null,
  message: string,
  { job = null, keyword = null }: ProblemContext = {},
): Problem {
  const at = place ? { file: place.file.name, line: place.file.lineAt(place.offset) } : null;
  return { message, file: at?.file ?? null, line: at?.line ?? null, job, keyword };
}

/** Aborts a configuration that is too large or cannot be merged. */
export class Refusal extends Error {
  readonly problem: Problem;

  constructor(place: Place | null, message: string, context?: ProblemContext) {
    super(message);
    this.problem = problemAt(place, message, context);
  }
}

/** Collects problems up to a bound. */
export class Problems {
  readonly errors: Problem[] = [];
  readonly warnings: Problem[] = [];
  readonly #most: number;
  #left = 0;
  /** Errors and warnings so far, listed or not. */
  count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  error(place: Place | null, message: string, context?: ProblemContext): void {
    this.count += 1;
    if (this.errors.length < this.#most) this.errors.push(problemAt(place, message, context));
    else this.#left += 1;
  }

  warn(place: Place | null, message: string, context?: ProblemContext): void {
    this.count += 1;
    if (this.warnings.length < this.#most) this.warnings.push(problemAt(place, message, context));
  }

  /** Records a refusal; rethrows any other error. */
  addThrown(error: unknown): void {
    if (error instanceof Refusal) this.errors.push(error.problem);
    else if (error instanceof ExpansionError) this.error(null, error.message);
    else throw error;
  }

  /** Returns a copy, which ends with the number of unlisted errors. */
  listed(): Problem[] {
    const more = this.#left === 0 ? [] : [problemAt(null, `and ${this.#left} more errors`)];
    return [...this.errors, ...more];
  }
}

/** Formats the message with its place. */
export function describeProblem({ message, file, line }: Problem): string {
  return file === null ? message : `${message} (${file}, line ${line})`;
}
