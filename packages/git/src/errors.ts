/** Errors of git, as types that a route can map to a status. Messages contain no server paths. */

/** The base class. `code` is stable, for error tables. */
export class GitError extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** All slots and the queue are full: retry later (429 or 503 with Retry-After). */
export class GitBusyError extends GitError {
  constructor(message = 'git is busy') {
    super('busy', message);
  }
}

/** A command exceeded its deadline, and its process group was killed. */
export class GitTimeoutError extends GitError {
  constructor(message = 'git took too long') {
    super('timeout', message);
  }
}

/** A command was stopped because its client disconnected. */
export class GitCancelledError extends GitError {
  constructor(message = 'git was cancelled') {
    super('cancelled', message);
  }
}

/** The supervisor died during a command. The next command starts a new one. */
export class SupervisorLostError extends GitError {
  constructor(message = 'the git supervisor was lost') {
    super('supervisor_lost', message);
  }
}

/** An unexpected failure of git. `stderr` is for logs only: it may contain server paths. */
export class GitFailedError extends GitError {
  readonly exitCode: number | null;
  readonly stderr: string;
  constructor(subcommand: string, exitCode: number | null, stderr: string) {
    super('failed', `git ${subcommand} failed (${exitCode ?? 'killed'})`);
    this.exitCode = exitCode;
    this.stderr = stderr;
  }

  get isDisk(): boolean {
    return /No space left on device|Disk quota exceeded|File too large|Read-only file system|Input\/output error/.test(
      this.stderr,
    );
  }
}

/** An unsafe path, ref name or object id, which must not reach git. */
export class InvalidNameError extends GitError {
  constructor(what: string) {
    super('invalid_name', `invalid ${what}`);
  }
}

/** The object is missing, or has another type. */
export class ObjectNotFoundError extends GitError {
  readonly oid: string;
  constructor(oid: string, what = 'object') {
    super('object_not_found', `${what} ${oid} not found`);
    this.oid = oid;
  }
}

/** The object exceeds the caller's memory limit; stream it instead. */
export class ObjectTooLargeError extends GitError {
  readonly size: number;
  constructor(oid: string, size: number) {
    super('object_too_large', `object ${oid} holds ${size} bytes`);
    this.size = size;
  }
}

/** A ref has moved: reload and decide again. Nothing was changed. */
export class RefMovedError extends GitError {
  readonly ref: string | undefined;
  constructor(ref: string | undefined, detail = '') {
    super('ref_moved', `${ref ?? 'a ref'} moved${detail ? `: ${detail}` : ''}`);
    this.ref = ref;
  }
}

/** The name conflicts with another ref: `a/b` beside `a`. Nothing was changed. */
export class RefConflictError extends GitError {
  constructor(detail: string) {
    super('ref_conflict', detail);
  }
}

/** A vote refuses moves for a reason that whoever pushes may read. Nothing was changed. */
export class MoveRefusedError extends GitError {
  constructor(reason: string) {
    super('move_refused', reason);
  }
}

/** The move is recorded in the log, but git failed to apply it: the refs are behind until reconciled. */
export class RefsBehindError extends GitError {
  constructor(cause: unknown) {
    super('refs_behind', 'the refs are behind what was recorded', { cause });
  }
}

/**
 * `exists`: a file is already at the target. `is_directory`: the path is a folder or submodule. `path_conflict`: a
 * parent of the path is a file. `missing`: there is no file.
 */
export type CommitActionProblem = 'exists' | 'missing' | 'is_directory' | 'path_conflict' | 'invalid_path';

export class CommitActionError extends GitError {
  readonly problem: CommitActionProblem;
  readonly path: string;
  constructor(problem: CommitActionProblem, path: string) {
    super(`commit_${problem}`, `cannot apply the change to ${JSON.stringify(path)}: ${problem}`);
    this.problem = problem;
    this.path = path;
  }
}
