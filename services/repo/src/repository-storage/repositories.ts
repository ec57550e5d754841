import { createHash } from 'node:crypto';
import type { CommandHandler } from '@forgelog/eventing/command-handler.ts';
import type { EventMetadata, Position } from '@forgelog/eventing/event.ts';
import { GitError, RefMovedError, RefsBehindError } from '@forgelog/git/errors.ts';
import type { Git, Repository } from '@forgelog/git/git.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { LRUCache } from 'lru-cache';
import { projectDecider, projectStream } from '../projects/project.decider.ts';
import { type RefMove, RefsDifferError, refLogDecider, refLogStream } from './ref-log.decider.ts';
import { describeMoves } from './ref-moves.ts';
import { type RolledForward, rollForward as rollRefsForward } from './roll-forward.ts';

/** The repositories of the projects, and the only way to move their refs. */
export interface Repositories {
  /** The repository of a project, whether its folder is there yet or not. Cheap. */
  of(projectId: number): Repository;
  /** Makes the folder; one that is there is kept. `branch` is what HEAD names until a push decides otherwise. */
  create(projectId: number, branch: string): Promise<void>;
  remove(projectId: number): Promise<void>;
  /** A repository that nobody ever writes to: what there is where nothing is yet. */
  empty(branch: string): Promise<Repository>;
  /**
   * Whether its project was deleted, as the log has it: what fails in the repository then fails for no other reason.
   * False where the log does not say.
   */
  isDeleted(projectId: number): Promise<boolean>;
  /**
   * Moves refs, all or none: git locks them at their old ids, the log records one event each, git moves them.
   * The objects must be there. @throws RefMovedError, RefConflictError, ObjectNotFoundError, GitBusyError
   */
  moveRefs(
    projectId: number,
    updates: readonly RefUpdate[],
    metadata: EventMetadata,
    via: 'push' | 'api',
  ): Promise<void>;
  /**
   * The vote alone, for pushes, while git holds the refs: appends what is not in the log yet, and does not wait until
   * it is projected. Returns where it stands in the log, null where nothing had to be appended.
   */
  record(recording: Recording): Promise<Position | null>;
  /** Brings git's refs to what the log says, and logs those that it cannot. Safe at any time. */
  rollForward(projectId: number): Promise<RolledForward>;
  /** Keeps policies from a repository whose refs are being moved, until the returned function is called. */
  hold(projectId: number): () => void;
  /** Lets policies begin: at start, when every repository is as the log says. */
  open(): void;
  /** Resolves when nobody holds the repository, and not before `open`. */
  settled(projectId: number): Promise<void>;
  /** Resolves when nobody holds any repository; false where one was left behind the log. */
  ended(): Promise<boolean>;
  /** Called after refs of a project moved, before whoever moved them is answered. */
  onMoved(listener: MovedListener): void;
  /** Tells the listeners, once what was recorded is projected; `moveRefs` does so by itself. */
  moved(
    projectId: number,
    updates: readonly RefUpdate[],
    metadata: EventMetadata,
    recorded: Position | null,
  ): Promise<void>;
}

export interface Recording {
  projectId: number;
  moves: readonly RefMove[];
  via: 'push' | 'api';
  pushOptions: readonly string[];
  metadata: EventMetadata;
}

export type MovedListener = (
  projectId: number,
  updates: readonly RefUpdate[],
  metadata: EventMetadata,
) => Promise<void>;

/** Below the folder of repositories: spread, and independent of names, so that renaming moves nothing. */
export function repositoryPath(projectId: number): string {
  const name = createHash('sha256').update(String(projectId)).digest('hex');
  return `@hashed/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}.git`;
}

const EMPTY = '@empty/repository.git';

export function createRepositories(ports: { git: Git; commands: CommandHandler; log: Logger }): Repositories {
  const { git, commands, log } = ports;
  const listeners: MovedListener[] = [];
  /** Repositories that were to be rolled forward and, as far as is known, are not. */
  const behind = new Set<number>();
  const opened = Promise.withResolvers<void>();
  const holders = new Map<number, Set<Promise<void>>>();
  const known = new LRUCache<number, Repository>({ max: 2000 });
  const of = (projectId: number) => {
    const found = known.get(projectId);
    if (found) return found;
    const repository = git.repository(repositoryPath(projectId));
    known.set(projectId, repository);
    return repository;
  };
  const refsOf = async (projectId: number) =>
    (await commands.load(refLogDecider, refLogStream(projectId))).state;

  async function record({
    projectId,
    moves,
    via,
    pushOptions,
    metadata,
  }: Recording): Promise<Position | null> {
    const command = { type: 'RecordMoves' as const, projectId, via, pushOptions, moves };
    try {
      const options = { unprojected: true };
      const stream = refLogStream(projectId);
      return (await commands.handle(refLogDecider, stream, command, metadata, options)).position;
    } catch (error) {
      if (error instanceof RefsDifferError) throw error;
      // The append may have been made all the same (an answer that was lost): then it holds.
      const refs = await refsOf(projectId);
      if (moves.some(({ ref, newOid }) => (refs.get(ref) ?? ZERO_OID) !== newOid)) throw error;
      log.warn({ err: error, projectId }, 'refs were recorded although that seemed to fail');
      return null;
    }
  }

  const isDeleted = async (projectId: number) =>
    (await commands.load(projectDecider, projectStream(projectId)).catch(() => null))?.state.status ===
    'deleted';

  async function rollForward(projectId: number): Promise<RolledForward> {
    behind.add(projectId);
    try {
      const rolled = await rollRefsForward(of(projectId), () => refsOf(projectId));
      for (const one of rolled.left) log.error({ projectId, ...one }, 'a ref stays behind the log');
      if (rolled.left.length === 0) behind.delete(projectId);
      return rolled;
    } catch (error) {
      if (!(await isDeleted(projectId))) throw error;
      behind.delete(projectId);
      return { moved: [], left: [] };
    }
  }

  async function move(projectId: number, updates: readonly RefUpdate[], vote: () => Promise<void>) {
    const refs = updates.map(({ ref, oldOid, newOid }) => ({ ref, oldOid, newOid }));
    try {
      await of(projectId).updateRefs(refs, vote);
    } catch (error) {
      if (error instanceof RefsDifferError) {
        await rollForward(projectId);
        throw new RefMovedError(updates[0]!.ref);
      }
      if (!(error instanceof RefsBehindError)) throw error;
      // Recorded, so it must come true.
      const { left } = await rollForward(projectId);
      if (left.some(({ ref }) => updates.some((update) => update.ref === ref))) throw error;
    }
  }

  function hold(projectId: number): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = holders.get(projectId) ?? new Set();
    holders.set(projectId, held.add(promise));
    return () => {
      held.delete(promise);
      if (held.size === 0) holders.delete(projectId);
      resolve();
    };
  }

  async function moved(
    projectId: number,
    updates: readonly RefUpdate[],
    metadata: EventMetadata,
    recorded: Position | null,
  ) {
    const late = (error: unknown) => log.warn({ err: error, projectId }, 'moved refs are not projected yet');
    if (recorded !== null) await commands.projected(recorded).catch(late);
    for (const listener of listeners) {
      await listener(projectId, updates, metadata).catch((error: unknown) =>
        log.error({ err: error, projectId }, 'what follows from moved refs failed; policies make up for it'),
      );
    }
  }

  const initOnce = (repository: Repository, branch: string) =>
    repository.init(branch).catch((error: unknown) => {
      if (!(error instanceof GitError && error.code === 'repository_exists')) throw error;
    });

  return {
    of,
    create: (projectId, branch) => initOnce(of(projectId), branch),
    async empty(branch) {
      const repository = git.repository(EMPTY);
      if (!(await repository.exists())) await initOnce(repository, branch);
      return repository;
    },
    remove: (projectId) => of(projectId).remove(),
    isDeleted,
    async moveRefs(projectId, updates, metadata, via) {
      if (updates.length === 0) return;
      const moves = await describeMoves(of(projectId), updates);
      const release = hold(projectId);
      try {
        let recorded: Position | null = null;
        // While the events are projected git moves the refs.
        await move(projectId, moves, async () => {
          recorded = await record({ projectId, moves, via, pushOptions: [], metadata });
        });
        await moved(projectId, updates, metadata, recorded);
      } finally {
        release();
      }
    },
    record,
    rollForward,
    hold,
    open: opened.resolve,
    async settled(projectId) {
      await opened.promise;
      await Promise.all(holders.get(projectId) ?? []);
    },
    async ended() {
      await Promise.all([...holders.values()].flatMap((held) => [...held]));
      return behind.size === 0;
    },
    onMoved: (listener) => void listeners.push(listener),
    moved,
  };
}
