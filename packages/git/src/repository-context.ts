/** What the functions of this folder work on: one repository, seen through one set of object folders. */

import type { ByteCache } from './objects/byte-cache.ts';
import type { ObjectReader } from './objects/object-reader.ts';
import type { GitLocation, GitRunner } from './process/git-runner.ts';
import type { SessionPool } from './process/session-pool.ts';
import type { RefWriters } from './refs/ref-writers.ts';
import type { KeptAnswers } from './transport/kept-answers.ts';

export interface RepositoryContext extends GitLocation {
  /** Names the location in pools and caches. */
  key: string;
  runner: GitRunner;
  objects: ObjectReader;
  sessions: SessionPool;
  refWriters: RefWriters;
  /** Answers that depend on object ids alone, and files with their stamps. */
  answers: ByteCache<unknown>;
  /** Answers to clones, in files. */
  clones: KeptAnswers;
  /** Objects that are being written, by key and id: who needs the same one waits for it to be on disk. */
  writing: Map<string, Promise<void>>;
}
