import type { Place } from '../document/source-file.ts';
import type { Problems } from '../problem.ts';

/** Names the place of a value in errors. */
export class Location {
  readonly problems: Problems;
  /** Such as `jobs:test:cache`. */
  readonly path: string;
  readonly job: string | null;
  readonly #keyword: string | null;
  /** A plain value such as `name` of `artifacts`; it is not part of the path. */
  readonly #attribute: string | null;

  private constructor(
    problems: Problems,
    path: string,
    job: string | null,
    keyword: string | null,
    attribute: string | null,
  ) {
    this.problems = problems;
    this.path = path;
    this.job = job;
    this.#keyword = keyword;
    this.#attribute = attribute;
  }

  static root(problems: Problems): Location {
    return new Location(problems, '', null, null, null);
  }

  ofJob(name: string): Location {
    return new Location(this.problems, `jobs:${name}`, name, null, null);
  }

  /** Enters a keyword that has keywords of its own. */
  part(name: string): Location {
    const path = this.path === '' ? name : `${this.path}:${name}`;
    return new Location(this.problems, path, this.job, this.#keywordOf(name), null);
  }

  /** Enters a keyword that is a plain value. */
  attribute(name: string): Location {
    return new Location(this.problems, this.path, this.job, this.#keywordOf(name), name);
  }

  #keywordOf(name: string) {
    return this.#keyword === null ? name : `${this.#keyword}:${name}`;
  }

  /** Reports an error. @returns undefined, for readers to pass on */
  error(place: Place, message: string): undefined {
    const subject = this.#attribute?.replaceAll('_', ' ') ?? 'config';
    this.problems.error(place, `${[this.path, subject].filter((one) => one !== '').join(' ')} ${message}`, {
      job: this.job,
      keyword: this.#keyword,
    });
    return undefined;
  }
}
