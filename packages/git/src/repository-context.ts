/** One repository, seen through one set of object folders. */

import type { ByteCache } from './objects/byte-cache.ts';
import type { ObjectReader } from './objects/object-reader.ts';
import type { GitLocation, GitRunner } from './process/git-runner.ts';
import type { SessionPool } from './process/session-pool.ts';
import type { RefWriters } from './refs/ref-writers.ts';
import type { KeptAnswers } from './transport/kept-answers.ts';

export interface RepositoryContext extends GitLocation {
  /** Identifies the location in pools and caches. */
  key: string;
  runner: GitRunner;
  objects: ObjectReader;
  sessions: SessionPool;
  refWriters: RefWriters;
  /** Results that depend on object ids alone, and parsed files with their stamps. */
  answers: ByteCache<unknown>;
  /** Cached answers to clones, in files. */
  clones: KeptAnswers;
  /** Objects being written, by key and id, so that a second writer waits until the object is on disk. */
  writing: Map<string, Promise<void>>;
}
