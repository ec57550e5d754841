/** What can go wrong with git, as types that a route can turn into a status. Messages carry no server paths. */

/** Base of every error that this folder throws on purpose. `code` is stable, for tables of errors. */
export class GitError extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** Too much is running and too much is waiting: try again later (429 or 503 with Retry-After). */
export class GitBusyError extends GitError {
  constructor(message = 'git is busy') {
    super('busy', message);
  }
}

/** A command ran past its deadline and its whole process group was killed. */
export class GitTimeoutError extends GitError {
  constructor(message = 'git took too long') {
    super('timeout', message);
  }
}

/** A command was stopped because its caller went away. */
export class GitCancelledError extends GitError {
  constructor(message = 'git was cancelled') {
    super('cancelled', message);
  }
}

/** The supervisor process died under a command. The next command starts a new one. */
export class SupervisorLostError extends GitError {
  constructor(message = 'the git supervisor was lost') {
    super('supervisor_lost', message);
  }
}

/** git ended with a failure that no caller expects. `stderr` is for logs: it may hold server paths. */
export class GitFailedError extends GitError {
  readonly exitCode: number | null;
  readonly stderr: string;
  constructor(subcommand: string, exitCode: number | null, stderr: string) {
    super('failed', `git ${subcommand} failed (${exitCode ?? 'killed'})`);
    this.exitCode = exitCode;
    this.stderr = stderr;
  }

  /** Whether it was the disk that failed git. */
  get isDisk(): boolean {
    return /No space left on device|Disk quota exceeded|File too large|Read-only file system|Input\/output error/.test(
      this.stderr,
    );
  }
}

/** A path, ref name or object id that must not reach git. */
export class InvalidNameError extends GitError {
  constructor(what: string) {
    super('invalid_name', `invalid ${what}`);
  }
}

/** An object that must exist does not, or has another type. */
export class ObjectNotFoundError extends GitError {
  readonly oid: string;
  constructor(oid: string, what = 'object') {
    super('object_not_found', `${what} ${oid} not found`);
    this.oid = oid;
  }
}

/** An object is larger than what the caller agreed to hold in memory. Stream it instead. */
export class ObjectTooLargeError extends GitError {
  readonly size: number;
  constructor(oid: string, size: number) {
    super('object_too_large', `object ${oid} holds ${size} bytes`);
    this.size = size;
  }
}

/** A ref was not where the caller believed it to be: reload and decide again. Nothing was changed. */
export class RefMovedError extends GitError {
  readonly ref: string | undefined;
  constructor(ref: string | undefined, detail = '') {
    super('ref_moved', `${ref ?? 'a ref'} moved${detail ? `: ${detail}` : ''}`);
    this.ref = ref;
  }
}

/** A ref cannot be there beside those that are: `a/b` beside `a`. Nothing was changed. */
export class RefConflictError extends GitError {
  constructor(detail: string) {
    super('ref_conflict', detail);
  }
}

/** The vote was cast and recorded, and git could not follow: the refs are behind until they are reconciled. */
export class RefsBehindError extends GitError {
  constructor(cause: unknown) {
    super('refs_behind', 'the refs are behind what was recorded', { cause });
  }
}

/**
 * `exists`: a file is in the way of a create or a move. `is_directory`: a folder (or submodule) is where a file
 * was named. `path_conflict`: a part of the path that would be a folder is a file. `missing`: no file there.
 */
export type CommitActionProblem = 'exists' | 'missing' | 'is_directory' | 'path_conflict' | 'invalid_path';

/** A file action that cannot be applied to the base tree. */
export class CommitActionError extends GitError {
  readonly problem: CommitActionProblem;
  readonly path: string;
  constructor(problem: CommitActionProblem, path: string) {
    super(`commit_${problem}`, `cannot apply the change to ${JSON.stringify(path)}: ${problem}`);
    this.problem = problem;
    this.path = path;
  }
}
