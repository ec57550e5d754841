import { Readable } from 'node:stream';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { MoveRefusedError } from '@forgelog/git/errors.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import type { PushHooks, Verdict } from '@forgelog/git/transport/receive-pack.ts';
import type { GitRequest, GitTransport } from '@forgelog/service-kit/git-transport.ts';
import { mergeRequestLinks } from '../merges/merge-request-links.ts';
import { MERGE_REQUEST_REFS } from '../merges/merge-request-ref-names.ts';
import type { MergeRequestRefs } from '../merges/merge-request-refs.ts';
import type { FirstPushes } from '../projects/first-push.commands.ts';
import { FIRST_BRANCH } from '../projects/project-creation.commands.ts';
import type { PushRuleCheck } from '../push-rules/push-rule-check.ts';
import type { RefAccessOf } from '../refs/ref.access.ts';
import type { ProjectProtection } from '../refs/ref-protection.rules.ts';
import { isGitClosed, unlessBusy } from './git-busy.ts';
import { firstRefusalOf, refusalOf } from './push.rules.ts';
import { recordedPushOptions } from './push-options.ts';
import { reportAfter } from './push-report.ts';
import type { PushVariables } from './push-variables.ts';
import type { PushedCommits, RefMove } from './ref-log.decider.ts';
import { describeMoves } from './ref-moves.ts';
import { elsewhere, NOTHING_RECORDED, type Recorded, type Repositories } from './repositories.ts';
import type { UnclaimedRepositories } from './unclaimed.ts';

/** The state of one push. `release` lets policies run on the repository again. */
interface PushState {
  pushId: string;
  /** Refs that are still to move. */
  pending: Set<string>;
  pushOptions: readonly string[];
  moved: RefUpdate[];
  /** All transactions so far. */
  recorded: Recorded;
  /** Whether git aborted a transaction after its event was recorded. */
  broken: boolean;
  release: (() => void) | undefined;
}

interface Push {
  projectId: number;
  metadata: EventMetadata;
  protocol: string | undefined;
  signal: AbortSignal;
  /** Returns why the whole push is refused; null if it is not. */
  refusal(updates: readonly RefUpdate[], reads: RepositoryReads): Promise<string | null>;
  /** Votes on refs that are about to move. @throws MoveRefusedError if a rule has come that refuses them */
  vote?(updates: readonly RefUpdate[], reads: RepositoryReads): Promise<void>;
  /** Runs last before the push is accepted. */
  admit?(): Promise<Verdict>;
  /** Runs once git has ended, with the refs that moved. Returns what to tell the pusher. */
  followUp?(moved: readonly RefUpdate[]): Promise<string>;
}

const GONE = 'The project was deleted.';
const MOVED = 'The repository is read-only while it moves to another storage: push again in a moment.';

const UNDESCRIBED = { commitCount: 0, commitCountIsLowerBound: true, commitTitle: null, forced: null };

const pushOf = ({ pushId, pushOptions }: PushState, { projectId, metadata }: Push) =>
  ({ projectId, pushId, via: 'push', pushOptions, metadata }) as const;

/** Serves git over HTTP behind the gateway: access rules of a push, and an event for each ref before it moves. */
export function createGitTransport(
  ports: Pick<ServicePorts, 'readStore' | 'directory' | 'log'> & {
    repositories: Repositories;
    unclaimed: UnclaimedRepositories;
    first: FirstPushes;
    refAccess: RefAccessOf;
    mergeRequestRefs: MergeRequestRefs;
    pushVariables: PushVariables;
    pushRules: PushRuleCheck;
  },
): Omit<GitTransport, 'snippets' | 'wikis'> {
  const { repositories, unclaimed, first, refAccess, mergeRequestRefs, pushVariables, pushRules, log } =
    ports;

  function hooksOf(push: Push, state: PushState): PushHooks {
    const { projectId, refusal, admit } = push;
    const described = new Map<string, RefMove>();
    let commits: PushedCommits | null = null;
    return {
      async preReceive(updates, context) {
        try {
          state.release ??= await repositories.write(projectId);
        } catch (error) {
          if (error instanceof Rejection) return { ok: false, message: MOVED };
          throw error;
        }
        const reads = repositories.of(projectId).inQuarantine(context.quarantine);
        try {
          const message = await refusal(updates, reads);
          if (message !== null) return { ok: false, message };
          const found = await describeMoves(reads, updates);
          commits = found.commits;
          for (const move of found.moves) described.set(move.ref, move);
          state.pending = new Set(updates.map(({ ref }) => ref));
        } catch (error) {
          if (await repositories.isDeleted(projectId)) return { ok: false, message: GONE };
          throw error;
        } finally {
          reads.close();
        }
        state.pushOptions = recordedPushOptions(context.pushOptions);
        pushVariables.keep(state.pushId, push.metadata.actorId, context.pushOptions);
        return (await admit?.()) ?? { ok: true };
      },
      async prepared(updates) {
        await push.vote?.(updates, repositories.of(projectId));
        const moves = updates.map((update) => ({
          ...(described.get(update.ref) ?? UNDESCRIBED),
          ...update,
        }));
        for (const { ref } of updates) state.pending.delete(ref);
        const last = state.pending.size === 0 ? commits : null;
        const recording = { ...pushOf(state, push), moves, commits: last };
        const { events, position } = await repositories.record(recording).catch(async (error: unknown) => {
          if (error instanceof Rejection) throw new MoveRefusedError(MOVED);
          throw (await repositories.isDeleted(projectId)) ? new MoveRefusedError(GONE) : error;
        });
        state.recorded = {
          events: [...state.recorded.events, ...events],
          position: position ?? state.recorded.position,
        };
      },
      committed(updates) {
        state.moved.push(...updates);
      },
      aborted() {
        // Only the log knows whether it was recorded; git still holds its locks.
        state.broken = true;
      },
    };
  }

  async function brokeOff(projectId: number, error: unknown): Promise<void> {
    if (error instanceof MoveRefusedError)
      log.info({ projectId, reason: error.message }, 'push refused in the vote');
    else if (await repositories.isDeleted(projectId))
      log.info({ err: error, projectId }, 'push broke off, since its project was deleted');
    else if (isGitClosed(error)) log.info({ projectId }, 'push broke off, since the server stops');
    else log.warn({ err: error, projectId }, 'push broke off');
  }

  /** @param projectId null before the project exists */
  async function available<T>(projectId: number, work: () => Promise<T>): Promise<T> {
    try {
      return await unlessBusy(work);
    } catch (error) {
      if (await repositories.isDeleted(projectId)) throw new Rejection('not_found', { what: 'Project' });
      if (await repositories.isElsewhere(projectId)) throw elsewhere();
      throw error;
    }
  }

  /** A repository that moved is not removed before its last reader has ended. */
  async function readable({ grant }: GitRequest, work: (id: number) => Promise<Readable>): Promise<Readable> {
    const { id } = grant.project;
    const ended = repositories.read(id);
    try {
      const output = await available(id, () => work(id));
      output.once('close', ended);
      return output;
    } catch (error) {
      ended();
      throw error;
    }
  }

  /** The refs of merge requests are there before git reads, and only for those who may see merge requests. */
  async function reading(projectId: number, request: GitRequest) {
    await mergeRequestRefs
      .settle(projectId)
      .catch((error: unknown) => log.warn({ err: error, projectId }, 'refs of merge requests are behind'));
    return { ...request, hiddenRefs: request.grant.can('merge_requests') ? [] : [MERGE_REQUEST_REFS] };
  }

  async function receive(body: Readable, wanted: Push): Promise<Readable> {
    const { projectId, metadata, protocol, signal } = wanted;
    const state: PushState = {
      ...{ pushId: newEventId(), pending: new Set(), pushOptions: [] },
      ...{ moved: [], recorded: NOTHING_RECORDED, broken: false, release: undefined },
    };
    const hooks = hooksOf(wanted, state);
    const push = await available(projectId, () =>
      repositories.of(projectId).receivePack(body, hooks, { protocol, signal }),
    );
    const followed = push.done
      .catch((error: unknown) => brokeOff(projectId, error))
      .then(() => (state.broken ? repositories.rollForward(projectId) : undefined))
      .then(async (behind) => {
        const moved = [...state.moved, ...(behind?.moved ?? [])];
        const isPart = state.pending.size > 0 && state.recorded.position !== null;
        const { position } = isPart ? await repositories.endPush(pushOf(state, wanted)) : state.recorded;
        await repositories.moved(projectId, moved, metadata, { ...state.recorded, position });
        return wanted.followUp?.(moved);
      })
      .catch((error: unknown) => {
        // The next start moves the refs.
        if (isGitClosed(error)) log.info({ projectId }, 'refs are behind the log, since the server stops');
        else log.error({ err: error, projectId }, 'refs are behind the log');
        return undefined;
      })
      .finally(() => state.release?.());
    const output = Readable.from(reportAfter(push.output, followed), { objectMode: false });
    output.once('close', () => push.output.destroy());
    return output;
  }

  return {
    advertise: (service, request) =>
      readable(request, async (id) => repositories.of(id).advertise(service, await reading(id, request))),
    uploadPack: (body, request) =>
      readable(request, async (id) => repositories.of(id).uploadPack(body, await reading(id, request))),
    receivePack(body, { grant, ...request }) {
      const { actorId } = request.metadata;
      const projectId = grant.project.id;
      let checked: ProjectProtection | undefined;
      async function refusal(updates: readonly RefUpdate[], reads: RepositoryReads) {
        const access = await refAccess(grant);
        checked = access.rules;
        return refusalOf(updates, grant.project, access, reads);
      }
      return receive(body, {
        ...request,
        projectId,
        // Check access now: a push may take an hour.
        refusal: async (updates, reads) =>
          (await refusal(updates, reads)) ??
          pushRules.problem(projectId, updates, { reads, via: 'push', actorId, isMerge: false }),
        followUp: (moved) => mergeRequestLinks(ports, grant, moved),
        // Objects of a large push take their time to settle, and a branch may be protected meanwhile.
        async vote(updates, reads) {
          const { rules } = await refAccess(grant);
          const problem = rules === checked ? null : await refusal(updates, reads);
          if (problem !== null) throw new MoveRefusedError(problem);
        },
      });
    },
    async receiveNew(body, { path, principal, ...request }) {
      const creation = await first.plan(path, principal);
      const projectId = await first.reserve();
      await unclaimed.create(projectId, FIRST_BRANCH);
      // A failed first push removes its project and repository.
      const takeBack = async () => {
        if (!(await first.takeBack(projectId, request.metadata))) await repositories.remove(projectId);
        await unclaimed.clearMark(projectId);
      };
      const push = receive(body, {
        ...request,
        projectId,
        refusal: async (updates) => firstRefusalOf(updates),
        async admit() {
          try {
            const message = await first.make(creation, projectId, principal, request.metadata);
            return { ok: true, message };
          } catch (error) {
            if (!(error instanceof Rejection)) throw error;
            return {
              ok: false,
              message: String((error.body as { message?: unknown }).message ?? error.code),
            };
          }
        },
        async followUp(moved) {
          await (moved.length === 0 ? takeBack() : unclaimed.clearMark(projectId));
          return '';
        },
      });
      // git failed to start.
      push
        .catch(takeBack)
        .catch((error: unknown) => log.warn({ err: error, projectId }, 'push left its folder'));
      return push;
    },
  };
}
