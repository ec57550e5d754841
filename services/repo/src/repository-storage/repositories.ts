import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventOf } from '@forgelog/contracts/event.ts';
import type { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import type { CommandHandler, Handled } from '@forgelog/eventing/command-handler.ts';
import { type AppendedEvent, bySystem, type EventMetadata } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import {
  GitBusyError,
  GitError,
  GitTimeoutError,
  RefMovedError,
  RefsBehindError,
  SupervisorLostError,
} from '@forgelog/git/errors.ts';
import type { Git, Repository } from '@forgelog/git/git.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { unavailable } from '@forgelog/service-kit/unavailable.ts';
import { LRUCache } from 'lru-cache';
import { projectDecider, projectStream } from '../projects/project.decider.ts';
import { ONE_STORAGE, type Storages } from '../projects/storages.ts';
import {
  type PushedCommits,
  type RefMerge,
  type RefMove,
  RefsDifferError,
  RepositoryElsewhereError,
  refLogDecider,
  refLogStream,
} from './ref-log.decider.ts';
import { describeMoves } from './ref-moves.ts';
import type { RefTable } from './ref-table.ts';
import { createHolds, type Holds } from './repository-holds.ts';
import { type RolledForward, rollForward as rollRefsForward } from './roll-forward.ts';

export interface Repositories
  extends Pick<Holds, 'hold' | 'idle' | 'holdWrites' | 'letWrite' | 'read' | 'unread'> {
  /** Returns the repository of a project without I/O, even before its folder exists. */
  of(projectId: number): Repository;
  /** Creates the folder unless it exists. `branch` is what HEAD names until a push decides otherwise. */
  create(projectId: number, branch: string): Promise<void>;
  remove(projectId: number): Promise<void>;
  /**
   * Renames the repository of an id that no project had yet. There is one where a restored log is older than the
   * repositories: the id was given before, and another project must not begin with what that one had.
   */
  setAside(projectId: number): Promise<void>;
  /** A read-only empty repository, for projects whose first push is still to come. */
  empty(branch: string): Promise<Repository>;
  /** Whether the log says that the project was deleted, which explains any failure in its repository. */
  isDeleted(projectId: number): Promise<boolean>;
  /**
   * Moves refs atomically: git locks them at their old ids, the log records an event each, git moves them. The objects
   * must exist.
   * @throws RefMovedError, RefConflictError, ObjectNotFoundError, GitBusyError; OperationDoneError if the operation made
   * other moves before
   */
  moveRefs(
    projectId: number,
    updates: readonly RefUpdate[],
    metadata: EventMetadata,
    via: 'push' | 'api',
    options?: MoveOptions,
  ): Promise<void>;
  /** The move that an operation made before; undefined if it made none. */
  movedBy(projectId: number, operationId: string): Promise<EventOf<typeof RefUpdated>['data'] | undefined>;
  /** The refs of a project according to the log. */
  loggedRefs(projectId: number): Promise<RefTable>;
  /**
   * Records the moves of a push while git holds its locks. It skips recorded moves and does not wait for projections.
   */
  record(recording: Recording): Promise<Recorded>;
  /** Records the end of a push some of whose refs did not move. A no-op for one that has ended. */
  endPush(push: Omit<Recording, 'moves' | 'commits'>): Promise<Recorded>;
  /** Moves git's refs to what the log says, and logs those that fail. Safe at any time. */
  rollForward(projectId: number): Promise<RolledForward>;
  /** Moves git's refs to what the log says where this one differs. @throws Error while the log cannot be asked */
  follow(projectId: number, ref: string): Promise<void>;
  /**
   * Begins a write, as `hold` does, once writes are not held for a move.
   * @throws unavailable if the repository is on another storage by then
   */
  write(projectId: number): Promise<() => void>;
  /** Whether the log says that the repository is on another storage by now. */
  isElsewhere(projectId: number): Promise<boolean>;
  /** Lets policies start, once every repository matches the log. */
  open(): void;
  /** Resolves when nobody holds any repository; false if one is behind the log. */
  ended(): Promise<boolean>;
  /** Adds a check that runs before `moveRefs` moves anything. It throws to refuse. */
  onMoving(check: MovingCheck): void;
  /** Adds a listener that runs after refs moved, before the caller is answered. */
  onMoved(listener: MovedListener): void;
  /** Adds a listener that runs after a repository was removed. */
  onRemoved(listener: (projectId: number) => Promise<void>): void;
  /** Runs the listeners once the events are projected; `moveRefs` calls it itself. */
  moved(
    projectId: number,
    updates: readonly RefUpdate[],
    metadata: EventMetadata,
    recorded: Recorded,
  ): Promise<void>;
}

/** The appended events and the log position to wait for, null if there was nothing to append. */
export type Recorded = Pick<Handled<unknown>, 'events' | 'position'>;

export interface MoveOptions {
  /** The moves happen once for this id (ADR 31). */
  operationId?: string;
  merge?: RefMerge;
  suggestionIds?: readonly number[];
  /** A ref of the repository that the log must have at this id when the moves are recorded. @throws RefMovedMeanwhileError */
  unmoved?: { ref: string; oid: string } | undefined;
  pushOptions?: readonly string[];
}

/** A concurrent call with the same operation id came first: what it did counts. */
export class OperationDoneError extends Error {
  override readonly name = 'OperationDoneError';
}

export interface Recording extends Pick<MoveOptions, 'operationId' | 'merge' | 'suggestionIds' | 'unmoved'> {
  projectId: number;
  pushId: string;
  moves: readonly RefMove[];
  /** Given with the last moves of a push. */
  commits: PushedCommits | null;
  via: 'push' | 'api';
  pushOptions: readonly string[];
  metadata: EventMetadata;
}

export type MovingCheck = (
  projectId: number,
  updates: readonly RefUpdate[],
  metadata: EventMetadata,
  /** Whether a merge request is merged. */
  isMerge: boolean,
) => Promise<void>;

/** `metadataAfter` gives the metadata of what the system does because a ref moved. */
export type MovedListener = (
  projectId: number,
  updates: readonly RefUpdate[],
  metadataAfter: (ref: string) => EventMetadata,
) => Promise<void>;

/** Relative to the folder of repositories. Ids are hashed to spread folders, and renames move nothing. */
export function repositoryPath(projectId: number): string {
  const name = createHash('sha256').update(String(projectId)).digest('hex');
  return `@hashed/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}.git`;
}

const EMPTY = '@empty/repository.git';

/** Errors that say nothing of the repository. */
const PASSING = [GitBusyError, GitTimeoutError, SupervisorLostError];

const ELSEWHERE = 'the repository was moved to another storage at this moment';
const ELSEWHERE_RETRY_S = 1;
/** Milliseconds between looks of a write that is held, at whether the repository has moved. */
const HELD_MS = 50;

export const elsewhere = () => unavailable(ELSEWHERE, ELSEWHERE_RETRY_S);

export const NOTHING_RECORDED: Recorded = { events: [], position: null };

const causeOf = (ref: string, events: readonly AppendedEvent[]): string | null =>
  events.find(({ data }) => (data as { ref?: string }).ref === ref)?.id ?? null;

/** Whether these are the events of these moves; no events are a move that was recorded already. */
const tellsOf = (events: readonly AppendedEvent[], moves: readonly RefMove[]): boolean =>
  events.length === 0 ||
  moves.every(({ ref, newOid }) =>
    events.some(({ data }) => {
      const moved = data as Partial<RefMove>;
      return moved.ref === ref && moved.newOid === newOid;
    }),
  );

export function createRepositories(ports: {
  git: Git;
  commands: CommandHandler;
  log: Logger;
  storages?: Storages;
}): Repositories {
  const { git, commands, log } = ports;
  const storage = (ports.storages ?? ONE_STORAGE).own;
  const listeners: MovedListener[] = [];
  const checks: MovingCheck[] = [];
  const removed: ((projectId: number) => Promise<void>)[] = [];
  /** Projects whose refs are known to be behind the log. */
  const behind = new Set<number>();
  const holds = createHolds();
  const known = new LRUCache<number, Repository>({ max: 2000 });
  const of = (projectId: number) => {
    const found = known.get(projectId);
    if (found) return found;
    const repository = git.repository(repositoryPath(projectId));
    known.set(projectId, repository);
    return repository;
  };
  const refsOf = async (projectId: number) =>
    (await commands.load(refLogDecider, refLogStream(projectId))).state.refs;

  async function record({ metadata, operationId, ...recording }: Recording): Promise<Recorded> {
    const { projectId, moves } = recording;
    const command = { type: 'RecordMoves' as const, ...recording, storage };
    try {
      const options = { unprojected: true, ...(operationId === undefined ? {} : { operationId }) };
      const stream = refLogStream(projectId);
      return await commands.handle(refLogDecider, stream, command, metadata, options);
    } catch (error) {
      if (error instanceof RefsDifferError) throw error;
      if (error instanceof RepositoryElsewhereError) throw elsewhere();
      // The append may have succeeded although its answer was lost: the log decides.
      const refs = await refsOf(projectId);
      if (moves.some(({ ref, newOid }) => (refs.get(ref) ?? ZERO_OID) !== newOid)) throw error;
      log.warn({ err: error, projectId }, 'refs were recorded although that seemed to fail');
      return NOTHING_RECORDED;
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
      // The moves are recorded, so they must happen.
      const { left } = await rollForward(projectId);
      if (left.some(({ ref }) => updates.some((update) => update.ref === ref))) throw error;
    }
  }

  async function isElsewhere(projectId: number): Promise<boolean> {
    const { moved } = (await commands.load(refLogDecider, refLogStream(projectId))).state;
    return moved !== null && moved.storage !== storage;
  }

  async function write(projectId: number): Promise<() => void> {
    while (holds.held(projectId)) {
      await Promise.race([holds.held(projectId), sleep(HELD_MS, undefined, { ref: false })]);
      if (await isElsewhere(projectId)) throw elsewhere();
    }
    return holds.hold(projectId);
  }

  async function moved(
    projectId: number,
    updates: readonly RefUpdate[],
    metadata: EventMetadata,
    { events, position }: Recorded,
  ) {
    const late = (error: unknown) => log.warn({ err: error, projectId }, 'moved refs are not projected yet');
    if (position !== null) await commands.projected(position).catch(late);
    const metadataAfter = (ref: string) => bySystem({ id: causeOf(ref, events), metadata });
    for (const listener of listeners) {
      await listener(projectId, updates, metadataAfter).catch((error: unknown) =>
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
    async remove(projectId) {
      await of(projectId).remove();
      for (const listener of removed) await listener(projectId);
    },
    async setAside(projectId) {
      const folder = await of(projectId).setAside();
      if (folder === undefined) return;
      log.warn({ projectId, folder }, 'a repository that the log does not know was set aside');
    },
    isDeleted,
    async moveRefs(projectId, updates, metadata, via, { pushOptions = [], ...options } = {}) {
      if (updates.length === 0) return;
      for (const check of checks) await check(projectId, updates, metadata, options.merge !== undefined);
      const { moves, commits } = await describeMoves(of(projectId), updates);
      const push = { projectId, pushId: newEventId(), via, pushOptions, metadata, ...options };
      const release = await write(projectId);
      try {
        let recorded = NOTHING_RECORDED;
        // git moves the refs while the events are projected.
        await move(projectId, moves, async () => {
          recorded = await record({ ...push, moves, commits });
          if (options.operationId !== undefined && !tellsOf(recorded.events, moves))
            throw new OperationDoneError();
        });
        await moved(projectId, updates, metadata, recorded);
      } finally {
        release();
      }
    },
    async movedBy(projectId, operationId) {
      const [event] = (await commands.eventsOf(refLogDecider, refLogStream(projectId), operationId)) ?? [];
      return event?.data as EventOf<typeof RefUpdated>['data'] | undefined;
    },
    loggedRefs: refsOf,
    record,
    endPush: ({ metadata, ...push }) =>
      commands.handle(refLogDecider, refLogStream(push.projectId), { type: 'EndPush', ...push }, metadata, {
        unprojected: true,
      }),
    rollForward,
    async follow(projectId, ref) {
      const logged = await refsOf(projectId);
      try {
        if (logged.get(ref) !== (await of(projectId).readRef(ref))) await rollForward(projectId);
      } catch (error) {
        const isBroken = error instanceof GitError && !PASSING.some((passing) => error instanceof passing);
        if (!isBroken) throw error;
        // Trying again does not mend it.
        log.error(
          { err: error, projectId, ref },
          'a ref cannot be compared with the log; run `npm run repair`',
        );
      }
    },
    ...holds,
    write,
    isElsewhere,
    async ended() {
      await holds.ended();
      return behind.size === 0;
    },
    onMoving: (check) => void checks.push(check),
    onRemoved: (listener) => void removed.push(listener),
    onMoved: (listener) => void listeners.push(listener),
    moved,
  };
}
