/**
 * The git engine: repositories under one folder, run through a supervisor process. It knows nothing of HTTP, events,
 * projects or users.
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
import { createGitRunner, type GitLoad, withoutSlots } from './process/git-runner.ts';
import { createSessionPool } from './process/session-pool.ts';
import { createSupervisorClient } from './process/supervisor-client.ts';
import { changedSince } from './recovery/changed-since.ts';
import { type Damage, findDamage, mendDamage } from './recovery/damage.ts';
import { fsck } from './recovery/fsck.ts';
import { findStale, sweepFolder, sweepRepository } from './recovery/sweep.ts';
import { type RefUpdate, updateRefs } from './refs/ref-transaction.ts';
import { createRefWriters } from './refs/ref-writers.ts';
import type { RepositoryContext } from './repository-context.ts';
import {
  type CopiedFile,
  type CopiedPiece,
  type CopySource,
  copyRepository,
  listCopiedFiles,
  readCopiedPiece,
} from './repository-copy.ts';
import {
  hasRepository,
  initRepository,
  removeRepository,
  setAsideRepository,
  setHead,
} from './repository-files.ts';
import { type ForkBeginning, forkRepository } from './repository-fork.ts';
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
  restoreCommit,
  restoreEdit,
  type TagRequest,
  type TreeEdit,
  treeOfFiles,
} from './trees/commit-builder.ts';
import { type MergeRequest, mergeTrees } from './trees/merge.ts';

export interface GitOptions {
  /** Absolute path of the folder of all repositories; created if missing. */
  root: string;
  /** Limits of push, fetch and archive. */
  heavy?: Partial<CommandLimits>;
  /** Limits of blame, history and diffs. */
  walk?: Partial<CommandLimits>;
  /** Limits of other commands that need their own process. */
  light?: Partial<CommandLimits>;
  /** Default deadline of a command in milliseconds. Default 10,000. */
  deadlineMs?: number;
  policy?: Partial<GitPolicy>;
  /** The most `cat-file` sessions kept at once. Default 64. */
  readers?: number;
  /** Milliseconds without use after which a session ends. Default 60,000. */
  idleMs?: number;
  /** Bytes of small objects to cache. Default 64 MiB. */
  cacheBytes?: number;
  /** Bytes on the disk of answers to clones. Default 2 GiB. */
  cloneBytes?: number;
}

export interface Git {
  /**
   * Returns a repository by its path under the root, even if it does not exist yet.
   * @throws InvalidNameError for an unsafe path
   */
  repository(relativePath: string): Repository;
  /** Removes repositories in a folder under the root whose creation or removal was interrupted. Call at start. */
  sweepFolder(relativePath: string): Promise<string[]>;
  load(): GitLoad;
  /** The supervisor's process id, for health checks. */
  supervisorPid(): Promise<number>;
  /** Ends all processes. */
  close(): Promise<void>;
}

export interface Repository extends RepositoryReads {
  gitDir: string;
  /** A view that also sees the objects of other repositories, to compare forks. It needs no close. */
  withObjectsOf(others: Repository[]): RepositoryReads;
  /** A view, for `preReceive` only, that sees the objects of a push. Close it before answering the hook. */
  inQuarantine(quarantine: Quarantine): RepositoryReads & { close(): void };

  init(defaultBranch: string): Promise<void>;
  /** Creates this repository as a fork of another, with these refs: it costs no copy of the history. */
  forkFrom(source: Repository, beginning: ForkBeginning): Promise<void>;
  /** Creates this repository as a copy of one elsewhere, with all its objects, checked. */
  copyFrom(source: CopySource, signal: AbortSignal): Promise<void>;
  /** The files that such a copy is made of; `large` for more than `most`. */
  copiedFiles(most: number): Promise<CopiedFile[] | 'large'>;
  /** Bytes of one of them; null for one that is no longer there. */
  copiedPiece(piece: CopiedPiece): Promise<Buffer | null>;
  setHead(branch: string): Promise<void>;
  remove(): Promise<void>;
  /** Renames the folder, so that another can begin under its name. Returns the new name, undefined if there was none. */
  setAside(): Promise<string | undefined>;
  /** Removes leftovers of killed commands. Call only while nothing runs in the repository. */
  sweep(): Promise<string[]>;
  /** Lists what `sweep` would remove. */
  strays(): Promise<string[]>;
  exists(): Promise<boolean>;
  /** Finds unreadable files that can be rebuilt from the log. */
  damage(): Promise<Damage[]>;
  /** Rebuilds damaged files, with `branch` for a broken HEAD. Call only while nothing runs in the repository. */
  mend(branch: string): Promise<Damage[]>;
  /** Whether anything changed after `ctimeMs`, the change time of a file, or the repository is missing. */
  changedSince(ctimeMs: number): boolean;
  fsck(deadlineMs?: number): ReturnType<typeof fsck>;
  diskUse(): ReturnType<typeof diskUse>;
  /** Packs loose objects and merges packs above the bounds. Safe beside other commands. */
  pack(bounds: PackBounds, signal?: AbortSignal): Promise<Packed>;

  buildCommit(request: CommitRequest): ReturnType<typeof buildCommit>;
  commitTree(request: Parameters<typeof commitTree>[1]): Promise<string>;
  /** Stores a commit as it was, with the plain files of its tree. @throws GitError if its tree is another one */
  restoreCommit(content: Buffer, files: ReadonlyMap<string, Buffer>): Promise<string>;
  /** The same, of a commit that changes the tree of its parent in this way. */
  restoreEdit(content: Buffer, edit: TreeEdit): Promise<string>;
  /** The id of a tree with these plain files and no others. */
  treeOfFiles(files: ReadonlyMap<string, Buffer>): Promise<string>;
  buildTag(request: TagRequest): Promise<string>;
  /** Computes the tree of a merge, cherry-pick or revert. */
  mergeTrees(request: MergeRequest): ReturnType<typeof mergeTrees>;
  /** Copies the objects reachable from these commits or tags, before refs to them can be set here. */
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
 * Walks are CPU-bound: more of them than cores only slow each other down. One repository gets at most half of the
 * cores.
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
/** No request waits for these. */
const BACKGROUND: CommandLimits = { running: 1, perRepository: 1, waiting: 256, waitingPerRepository: 64 };

const CLONE_BYTES = 2 * 1024 * 1024 * 1024;

const QUARANTINE_CACHE = 4 * 1024 * 1024;

/** Creates the engine; it does no I/O before the first use. */
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

  /** `suffix` separates the caches of views that see different objects. */
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
        // Its own cache, since quarantined objects may be discarded.
        const view = {
          ...seen,
          runner: withoutSlots(runner),
          answers: createByteCache<unknown>(QUARANTINE_CACHE),
        };
        const close = () => {
          readers.end(view.key);
          sessions.forget(view.key);
        };
        return { ...createReads(view), close };
      },
      init: (defaultBranch) => initRepository(gitDir, defaultBranch),
      forkFrom: (source, beginning) => forkRepository(contextOf(source.gitDir), gitDir, beginning),
      copyFrom: (source, signal) =>
        copyRepository((folder) => contextOf(folder, {}, '', false), gitDir, source, signal),
      copiedFiles: (most) => listCopiedFiles(gitDir, most),
      copiedPiece: (piece) => readCopiedPiece(gitDir, piece),
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
      setAside: () => setAsideRepository(gitDir),
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
          // The sessions keep deleted packs open, and so on the disk.
          readers.end(context.key);
          sessions.forget(context.key);
        }
        return packed;
      },
      buildCommit: (request) => buildCommit(context, request),
      commitTree: (request) => commitTree(context, request),
      restoreCommit: (content, files) => restoreCommit(context, content, files),
      restoreEdit: (content, edit) => restoreEdit(context, content, edit),
      treeOfFiles: (files) => treeOfFiles(context, files),
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

/** Rejects segments that start with a dot or a dash, so the path cannot leave the root. */
function safeRelative(path: string): string {
  if (!path.split('/').every((segment) => /^[A-Za-z0-9@_][A-Za-z0-9@_.+-]*$/.test(segment))) {
    throw new InvalidNameError('repository path');
  }
  return path;
}
