/** How a fork gets its repository: docs/adr/0053-forks-share-packs-by-hard-links.md. */
import type { CommandHandler } from '@forgelog/eventing/command-handler.ts';
import type { EventMetadata, Position } from '@forgelog/eventing/event.ts';
import { GitError } from '@forgelog/git/errors.ts';
import { refLogDecider, refLogStream } from './ref-log.decider.ts';
import type { Repositories } from './repositories.ts';
import type { UnclaimedRepositories } from './unclaimed.ts';

/** What a fork begins with. */
export interface ForkPoint {
  originId: number;
  /** Revision of the origin's refs in the log; null if it never had any. */
  revision: number | null;
  /** Branches and tags: full name → object id. */
  refs: ReadonlyMap<string, string>;
}

export interface Forking {
  /** @param at the revision of an earlier fork point; the newest by default */
  pointOf(originId: number, at?: number | null): Promise<ForkPoint>;
  /** Creates the repository. Until `record`, the next start removes it unless it has a project by then. */
  create(projectId: number, point: ForkPoint, branch: string): Promise<void>;
  /** Whether all refs that the fork begins with are recorded. */
  isFinished(projectId: number): Promise<boolean>;
  /**
   * Records the refs once the project exists, and waits for projections. Does nothing the second time.
   * @param settle brings git's refs to the log before the fork counts as finished, where it may lack some
   */
  record(
    projectId: number,
    point: ForkPoint,
    metadata: EventMetadata,
    settle?: () => Promise<unknown>,
  ): Promise<void>;
}

/** Refs of other kinds belong to the origin's merge requests and pipelines. */
const FORKED = /^refs\/(heads|tags)\//;
/** Refs of one append: a store may take no more than a mebibyte. */
const AT_ONCE = 500;

export function createForking(ports: {
  commands: CommandHandler;
  repositories: Repositories;
  unclaimed: UnclaimedRepositories;
}): Forking {
  const { commands, repositories, unclaimed } = ports;
  return {
    async pointOf(originId, at) {
      if (at === null) return { originId, revision: null, refs: new Map() };
      const options = at === undefined ? {} : { at };
      const { state, revision } = await commands.load(refLogDecider, refLogStream(originId), options);
      const refs = new Map([...state.refs.toMap()].filter(([ref]) => FORKED.test(ref)));
      return { originId, revision, refs };
    },
    async create(projectId, { originId, refs }, branch) {
      await unclaimed.mark(projectId);
      const origin = repositories.of(originId);
      await repositories
        .of(projectId)
        .forkFrom(origin, { branch, refs })
        .catch((error: unknown) => {
          if (!(error instanceof GitError && error.code === 'repository_exists')) throw error;
        });
    },
    isFinished: async (projectId) =>
      (await commands.load(refLogDecider, refLogStream(projectId))).state.isForked,
    async record(projectId, { originId, refs }, metadata, settle) {
      const all = [...refs];
      let position: Position | null = null;
      const append = async (some: typeof all, isLast: boolean) => {
        const command = {
          ...{ type: 'RecordFork' as const, projectId, forkedFromProjectId: originId, refs: some },
          refCount: isLast ? all.length : null,
        };
        const stream = refLogStream(projectId);
        const handled = await commands.handle(refLogDecider, stream, command, metadata, {
          unprojected: true,
        });
        position = handled.position ?? position;
      };
      let from = 0;
      for (; settle ? from < all.length : from + AT_ONCE < all.length; from += AT_ONCE)
        await append(all.slice(from, from + AT_ONCE), false);
      await settle?.();
      await append(all.slice(from), true);
      await unclaimed.clearMark(projectId);
      if (position !== null) await commands.projected(position);
    },
  };
}
