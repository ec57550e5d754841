import { Readable } from 'node:stream';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventMetadata, Position } from '@forgelog/eventing/event.ts';
import type { GitRequest, GitTransport } from '@forgelog/service-kit/git-transport.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { BrokerLostError, GitBusyError } from '../git/git-errors.ts';
import type { PushHooks } from '../git/push-service.ts';
import type { RefUpdate } from '../git/ref-transaction.ts';
import { reportAfter } from './push-report.ts';
import { refusalOf } from './push-rules.ts';
import type { RefMove } from './ref-log.decider.ts';
import { describeMoves } from './ref-moves.ts';
import type { Repositories } from './repositories.ts';

/** How a push goes: what it moved so far, and what lets policies at the repository again. */
interface Course {
  moved: RefUpdate[];
  /** Where the last vote stands in the log. */
  recorded: Position | null;
  /** Whether a transaction ended after its vote without moving its refs. */
  broken: boolean;
  release: (() => void) | undefined;
}

const GONE = 'The project was deleted.';

/** git over HTTP below the door: what a push may do, and that each moved ref is recorded before it moves. */
export function createGitTransport(ports: { repositories: Repositories; log: Logger }): GitTransport {
  const { repositories, log } = ports;
  const repositoryOf = ({ grant }: GitRequest) => repositories.of(grant.project.id);

  function hooksOf(request: GitRequest, metadata: EventMetadata, course: Course): PushHooks {
    const { grant } = request;
    const projectId = grant.project.id;
    const described = new Map<string, RefMove>();
    let pushOptions: readonly string[] = [];
    return {
      async preReceive(updates, context) {
        course.release ??= repositories.hold(projectId);
        const reads = repositoryOf(request).inQuarantine(context.quarantine);
        try {
          const message = await refusalOf(updates, grant, reads);
          if (message !== null) return { ok: false, message };
          for (const move of await describeMoves(reads, updates)) described.set(move.ref, move);
        } catch (error) {
          if (await repositories.isDeleted(projectId)) return { ok: false, message: GONE };
          throw error;
        } finally {
          reads.close();
        }
        ({ pushOptions } = context);
        return { ok: true };
      },
      async prepared(updates) {
        const moves = updates.map((update) => ({
          ...(described.get(update.ref) ?? { commitCount: 0, commitTitle: null }),
          ...update,
        }));
        const recording = { projectId, moves, via: 'push' as const, pushOptions, metadata };
        course.recorded = (await repositories.record(recording)) ?? course.recorded;
      },
      committed(updates) {
        course.moved.push(...updates);
      },
      aborted() {
        // Recorded or not, nobody knows here: the log does. git still holds its locks.
        course.broken = true;
      },
    };
  }

  async function brokeOff(projectId: number, error: unknown): Promise<void> {
    if (await repositories.isDeleted(projectId))
      log.info({ err: error, projectId }, 'push broke off, since its project was deleted');
    else log.warn({ err: error, projectId }, 'push broke off');
  }

  async function available<T>({ grant }: GitRequest, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (await repositories.isDeleted(grant.project.id))
        throw new Rejection('not_found', { what: 'Project' });
      if (!(error instanceof GitBusyError || error instanceof BrokerLostError)) throw error;
      throw new Rejection('unavailable', { reason: 'git is busy' }, { 'Retry-After': '5' });
    }
  }

  return {
    advertise: (service, request) =>
      available(request, () => repositoryOf(request).advertise(service, request)),
    uploadPack: (body, request) => available(request, () => repositoryOf(request).uploadPack(body, request)),
    async receivePack(body, request) {
      const { metadata, grant, protocol, signal } = request;
      const projectId = grant.project.id;
      const course: Course = { moved: [], recorded: null, broken: false, release: undefined };
      const hooks = hooksOf(request, metadata, course);
      const push = await available(request, () =>
        repositoryOf(request).receivePack(body, hooks, { protocol, signal }),
      );
      const followed = push.done
        .catch((error: unknown) => brokeOff(projectId, error))
        .then(() => (course.broken ? repositories.rollForward(projectId) : undefined))
        .then((behind) =>
          repositories.moved(
            projectId,
            [...course.moved, ...(behind?.moved ?? [])],
            metadata,
            course.recorded,
          ),
        )
        .catch((error: unknown) => log.error({ err: error, projectId }, 'refs are behind the log'))
        .finally(() => course.release?.());
      const output = Readable.from(reportAfter(push.output, followed), { objectMode: false });
      output.once('close', () => push.output.destroy());
      return output;
    },
  };
}
