/**
 * The git engine: repositories under one folder, read and written through a supervisor process.
 *
 * Knows objects, refs and packs; nothing of HTTP, events, projects or users.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { diskUse } from './disk-use.ts';
import { InvalidNameError } from './errors.ts';
import { createByteCache } from './objects/byte-cache.ts';
import { createObjectReaders } from './objects/object-reader.ts';
import { createPacking, type PackBounds, type Packed } from './packs/packing.ts';
import { alternatesValue, type GitPolicy } from './process/command-environment.ts';
import type { CommandLimits } from './process/command-limits.ts';
import { createGitRunner, type GitLoad, withoutPlaces } from './process/git-runner.ts';
import { createSessionPool } from './process/session-pool.ts';
import { createSupervisorClient } from './process/supervisor-client.ts';
import { changedSince } from './recovery/changed-since.ts';
import { type Damage, findDamage, mendDamage } from './recovery/damage.ts';
import { fsck } from './recovery/fsck.ts';
import { findStale, sweepFolder, sweepRepository } from './recovery/sweep.ts';
import { type RefUpdate, updateRefs } from './refs/ref-transaction.ts';
import { createRefWriters } from './refs/ref-writers.ts';
import type { RepositoryContext } from './repository-context.ts';
import { hasRepository, initRepository, removeRepository, setHead } from './repository-files.ts';
import { createReads, type RepositoryReads } from './repository-reads.ts';
import { createKeptAnswers } from './transport/kept-answers.ts';
import { copyObjects } from './transport/object-copy.ts';
import { type PushHooks, type Quarantine, receivePack } from './transport/receive-pack.ts';
import { advertise, type GitService, type ServiceOptions, uploadPack } from './transport/upload-pack.ts';
import {
  buildCommit,
  buildTag,
  type CommitRequest,
  commitTree,
  type TagRequest,
} from './trees/commit-builder.ts';
import { type MergeRequest, mergeTrees } from './trees/merge.ts';

export interface GitOptions {
  /** Folder of all repositories, absolute. Made if it is not there. */
  root: string;
  /** Push, fetch, archive. */
  heavy?: Partial<CommandLimits>;
  /** Blame, history and differences. */
  walk?: Partial<CommandLimits>;
  /** Everything else that needs a process of its own. */
  light?: Partial<CommandLimits>;
  /** Milliseconds for a command that names no deadline of its own, as reads do not. Default 10,000. */
  deadlineMs?: number;
  policy?: Partial<GitPolicy>;
  /** Repositories whose `cat-file` is kept at once. Default 64. */
  readers?: number;
  /** Milliseconds without use after which a kept process ends. Default 60,000. */
  idleMs?: number;
  /** Bytes of small objects kept in memory. Default 64 MiB. */
  cacheBytes?: number;
  /** Bytes on the disk of answers to clones. Default 2 GiB. */
  cloneBytes?: number;
}

export interface Git {
  /** A repository by its path under the root, whether it is there yet or not. InvalidNameError for any other path. */
  repository(relativePath: string): Repository;
  /** Removes repositories half made or half removed, directly in a folder under the root: at start. */
  sweepFolder(relativePath: string): Promise<string[]>;
  /** How much git runs now. */
  load(): GitLoad;
  /** Process id of the supervisor, for health checks. */
  supervisorPid(): Promise<number>;
  /** Ends every process. */
  close(): Promise<void>;
}

export interface Repository extends RepositoryReads {
  /** Absolute path, for logs. */
  gitDir: string;
  /** Also sees the objects of other repositories, to compare across forks. Nothing to close. */
  withObjectsOf(others: Repository[]): RepositoryReads;
  /** Sees what a push brought before it is let in: in `preReceive` only. `close` it before answering. */
  inQuarantine(quarantine: Quarantine): RepositoryReads & { close(): void };

  init(defaultBranch: string): Promise<void>;
  setHead(branch: string): Promise<void>;
  remove(): Promise<void>;
  /** Only while nothing runs in the repository: at start. */
  sweep(): Promise<string[]>;
  /** What `sweep` would remove. */
  strays(): Promise<string[]>;
  /** Whether its folder is there. */
  exists(): Promise<boolean>;
  /** Files that git cannot read and that can be made anew, since the log knows what they said. */
  damage(): Promise<Damage[]>;
  /** Makes them anew. Only while nothing runs in the repository: at start. `branch`: for a HEAD that names none. */
  mend(branch: string): Promise<Damage[]>;
  /** Whether something was changed in it after a file of that change time (`ctimeMs`), or the repository is not there. */
  changedSince(ctimeMs: number): boolean;
  fsck(deadlineMs?: number): ReturnType<typeof fsck>;
  diskUse(): ReturnType<typeof diskUse>;
  /** Gathers loose objects into packs and packs into fewer, where there are as many. Safe beside everything else. */
  pack(bounds: PackBounds, signal?: AbortSignal): Promise<Packed>;

  buildCommit(request: CommitRequest): ReturnType<typeof buildCommit>;
  commitTree(request: Parameters<typeof commitTree>[1]): Promise<string>;
  buildTag(request: TagRequest): Promise<string>;
  /** A merge, cherry-pick or revert, as a tree. */
  mergeTrees(request: MergeRequest): ReturnType<typeof mergeTrees>;
  /** Copies what these commits or tags of another repository reach: before refs to them can be set here. */
  copyObjectsFrom(source: Repository, tips: string[], signal?: AbortSignal): Promise<void>;
  updateRefs(updates: RefUpdate[], vote?: () => Promise<void>): Promise<void>;

  advertise(service: GitService, options?: ServiceOptions): Promise<Readable>;
  uploadPack(body: Readable, options?: ServiceOptions): Promise<Readable>;
  receivePack(body: Readable, hooks: PushHooks, options?: ServiceOptions): ReturnType<typeof receivePack>;
}

const POLICY: GitPolicy = {
  maxPushBytes: 5 * 1024 * 1024 * 1024,
  hiddenRefs: ['refs/internal', 'refs/keep-around'],
  readOnlyRefs: ['refs/merge-requests', 'refs/pipelines', 'refs/environments'],
};
const HEAVY: CommandLimits = { running: 16, perRepository: 8, waiting: 256, waitingPerRepository: 64 };
/**
 * Each of these takes a core for as long as it runs: more of them than cores would only make all wait for each other,
 * and more of one repository than half of the cores would make the others wait for it.
 */
const WALK: CommandLimits = {
  running: Math.max(4, availableParallelism()),
  perRepository: Math.max(2, Math.floor(availableParallelism() / 2)),
  waiting: 256,
  waitingPerRepository: 64,
  waitMs: 30_000,
};
const LIGHT: CommandLimits = {
  running: 32,
  perRepository: 16,
  waiting: 1024,
  waitingPerRepository: 256,
  waitMs: 30_000,
};
/** Nobody waits for it: one after the other. */
const BACKGROUND: CommandLimits = { running: 1, perRepository: 1, waiting: 256, waitingPerRepository: 64 };

const CLONE_BYTES = 2 * 1024 * 1024 * 1024;

const QUARANTINE_CACHE = 4 * 1024 * 1024;

/** Nothing is read, written or started before the first use. */
export function createGit(options: GitOptions): Git {
  const policy = { ...POLICY, ...options.policy };
  const { idleMs = 60_000, deadlineMs = 10_000, cacheBytes = 64 * 1024 * 1024 } = options;
  const supervisor = createSupervisorClient();
  const limits = {
    heavy: { ...HEAVY, ...options.heavy },
    walk: { ...WALK, ...options.walk },
    light: { ...LIGHT, ...options.light },
    background: BACKGROUND,
  };
  const runner = createGitRunner(supervisor, { ...limits, deadlineMs });
  const readers = createObjectReaders(runner, { sessions: options.readers ?? 64, idleMs, cacheBytes });
  const sessions = createSessionPool({ idle: 64, idleMs });
  const answers = createByteCache<unknown>(cacheBytes / 2);
  const writing = new Map<string, Promise<void>>();
  const refWriters = createRefWriters(cacheBytes / 2);
  const packing = createPacking();
  const clones = createKeptAnswers({
    folder: join(options.root, 'clones'),
    maxBytes: options.cloneBytes ?? CLONE_BYTES,
  });

  /** `suffix` tells views of one repository apart that see different objects. */
  const contextOf = (
    gitDir: string,
    objectEnv: Record<string, string> = {},
    suffix = '',
    keep = true,
  ): RepositoryContext => {
    const key = `${gitDir}\0${suffix}`;
    const objects = readers.of({ gitDir, objectEnv }, key, keep);
    return { key, gitDir, objectEnv, runner, sessions, refWriters, answers, clones, writing, objects };
  };

  const repository = (relativePath: string): Repository => {
    const gitDir = join(options.root, safeRelative(relativePath));
    const context = contextOf(gitDir);
    return {
      ...createReads(context),
      gitDir,
      withObjectsOf(others) {
        const folders = others.map((other) => join(other.gitDir, 'objects')).sort();
        const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: alternatesValue(folders) };
        return createReads(contextOf(gitDir, env, folders.join('\0')));
      },
      inQuarantine({ objectDirectory, alternates }) {
        const env = { GIT_OBJECT_DIRECTORY: objectDirectory, GIT_ALTERNATE_OBJECT_DIRECTORIES: alternates };
        const seen = contextOf(gitDir, env, objectDirectory, false);
        // Answers of its own, since the objects that they are about may never come to be.
        const view = {
          ...seen,
          runner: withoutPlaces(runner),
          answers: createByteCache<unknown>(QUARANTINE_CACHE),
        };
        const close = () => {
          readers.end(view.key);
          sessions.forget(view.key);
        };
        return { ...createReads(view), close };
      },
      init: (defaultBranch) => initRepository(gitDir, defaultBranch),
      async setHead(branch) {
        const heading = refWriters.enter(gitDir);
        try {
          heading.moves([]);
          await setHead(gitDir, branch);
        } finally {
          heading.leave();
        }
      },
      async remove() {
        const letIn = await packing.keepOut(gitDir);
        const removing = refWriters.enter(gitDir);
        await removeRepository(gitDir).finally(() => {
          removing.leave();
          refWriters.forget(gitDir);
          letIn();
        });
        readers.forget(context.key);
        sessions.forget(context.key);
        answers.deletePrefix(context.key);
        clones.forget(gitDir);
      },
      sweep: () => sweepRepository(gitDir),
      strays: () => findStale(gitDir),
      exists: () => hasRepository(gitDir),
      damage: () => findDamage(gitDir),
      mend: (branch) => mendDamage(gitDir, branch),
      changedSince: (ctimeMs) => changedSince(gitDir, ctimeMs),
      fsck: (ms) => fsck(context, ms),
      diskUse: () => diskUse(context),
      async pack(bounds, signal) {
        const packed = await packing.run(context, bounds, signal);
        if (packed.packs > 0) {
          // They hold those open that are gone, and so on the disk.
          readers.end(context.key);
          sessions.forget(context.key);
        }
        return packed;
      },
      buildCommit: (request) => buildCommit(context, request),
      commitTree: (request) => commitTree(context, request),
      buildTag: (request) => buildTag(context, request),
      mergeTrees: (request) => mergeTrees(context, request),
      copyObjectsFrom: (source, tips, signal) => copyObjects(contextOf(source.gitDir), context, tips, signal),
      updateRefs: (updates, vote) => updateRefs(context, updates, vote),
      advertise: (service, run) => advertise(context, policy, service, run),
      uploadPack: (body, run) => uploadPack(context, policy, body, run),
      receivePack: (body, hooks, run) => receivePack(context, policy, body, hooks, run),
    };
  };

  return {
    repository,
    sweepFolder: (relativePath) => sweepFolder(join(options.root, safeRelative(relativePath))),
    load: () => runner.load(),
    supervisorPid: () => supervisor.pid(),
    async close() {
      readers.close();
      sessions.close();
      clones.close();
      await supervisor.close();
    },
  };
}

/** Segments of plain characters only, none of which begins with a dot or a dash: it cannot leave the root. */
function safeRelative(path: string): string {
  if (!path.split('/').every((segment) => /^[A-Za-z0-9@_][A-Za-z0-9@_.+-]*$/.test(segment))) {
    throw new InvalidNameError('repository path');
  }
  return path;
}
