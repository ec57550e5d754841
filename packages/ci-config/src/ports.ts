import type { Glob } from './patterns/glob.ts';

/** A file to include, with its variables expanded. */
export type IncludeReference =
  /** A file of the same project and commit; `*` and `**` match several files. */
  | { kind: 'local'; path: string }
  | { kind: 'project'; project: string; ref: string | null; path: string }
  | { kind: 'template'; name: string }
  | { kind: 'remote'; url: string };

/** The commit whose files `local` means. */
export interface Origin {
  project: string;
  sha: string;
}

export type IncludeAnswer =
  /** Only a path with `*` has several files. `origin` is given if the files belong to another commit. */
  | { files: readonly { name: string; text: string }[]; origin?: Origin }
  /** `reason` completes "could not be fetched because …" for a remote file. */
  | { refused: 'no project' | 'no ref' | 'no file' | 'too large' | 'not fetched'; reason?: string };

/** What the language asks its caller, who also decides on access. */
export interface Ports {
  readInclude(reference: IncludeReference, from: Origin): Promise<IncludeAnswer>;
  fileExists(glob: Glob): Promise<boolean>;
  /** Null if unknown, as for a new branch or a schedule. */
  changedPaths(): Promise<readonly string[] | null>;
}
