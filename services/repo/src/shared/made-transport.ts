import { Rejection } from '@forgelog/contracts/errors.ts';
import { ConflictError } from '@forgelog/eventing/command-handler.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { ExpectedRevision } from '@forgelog/eventing/event-store.ts';
import { MoveRefusedError } from '@forgelog/git/errors.ts';
import type { Repository } from '@forgelog/git/git.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import type { PushHooks } from '@forgelog/git/transport/receive-pack.ts';
import type { GitRequest, GitService, RepositoryTransport } from '@forgelog/service-kit/git-transport.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { unlessBusy } from '../repository-storage/git-busy.ts';
import { PushRefused } from './pushed-commits.ts';

type Asked = Omit<GitRequest, 'grant'>;

interface Checked<Commit> {
  commits: Commit[];
  /** What the pusher should know of it. */
  message?: string;
}

/** Repositories that are made from the log, as git exchanges them. */
export interface MadeKind<Request extends Asked, Target, Commit> {
  what: string;
  maxPackBytes: number;
  /** @throws Rejection as the API answers who may not do it */
  permitted(service: GitService, request: Request): Promise<Target>;
  upToDate(target: Target): Promise<{ repository: Repository; revision: number }>;
  /** Reads the pushed commits. @throws PushRefused for what cannot be; Rejection where the target is gone */
  check(
    updates: readonly RefUpdate[],
    about: { target: Target; reads: RepositoryReads; repository: Repository; revision: number },
  ): Promise<Checked<Commit>>;
  /** Appends them, if nobody else wrote since that revision. @throws ConflictError, Rejection */
  record(
    target: Target,
    commits: readonly Commit[],
    about: { metadata: EventMetadata; at: ExpectedRevision },
  ): Promise<unknown>;
  reasonOf(rejection: Rejection): string;
}

/** Serves git over HTTP. A push is a command like any other, and the repository follows from its events. */
export function createMadeTransport<Request extends Asked, Target, Commit>(
  kind: MadeKind<Request, Target, Commit>,
  log: Logger,
): RepositoryTransport<Request> {
  const { what } = kind;
  const changed = `The ${what} was changed at the same time: fetch it, and push again.`;
  const gone = `The ${what} was deleted, or you may no longer write it.`;

  async function opened(service: GitService, request: Request) {
    const target = await kind.permitted(service, request);
    return { target, ...(await kind.upToDate(target)) };
  }

  return {
    advertise: (service, request) =>
      unlessBusy(async () =>
        (await opened(service, request)).repository.advertise(service, optionsOf(request)),
      ),

    uploadPack: (body, request) =>
      unlessBusy(async () =>
        (await opened('git-upload-pack', request)).repository.uploadPack(body, optionsOf(request)),
      ),

    receivePack: (body, request) =>
      unlessBusy(async () => {
        const { target, repository, revision } = await opened('git-receive-pack', request);
        let commits: Commit[] = [];
        const hooks: PushHooks = {
          async preReceive(updates, { quarantine }) {
            const reads = repository.inQuarantine(quarantine);
            try {
              // A push may take a while.
              await kind.permitted('git-receive-pack', request);
              const checked = await kind.check(updates, { target, reads, repository, revision });
              commits = checked.commits;
              return { ok: true, ...(checked.message !== undefined && { message: checked.message }) };
            } catch (error) {
              if (error instanceof PushRefused) return { ok: false, message: error.message };
              if (error instanceof Rejection) return { ok: false, message: gone };
              throw error;
            } finally {
              reads.close();
            }
          },
          async prepared() {
            const at = revision < 0 ? 'no-stream' : revision;
            try {
              await kind.record(target, commits, { metadata: request.metadata, at });
            } catch (error) {
              if (error instanceof ConflictError) throw new MoveRefusedError(changed);
              throw error instanceof Rejection ? new MoveRefusedError(kind.reasonOf(error)) : error;
            }
          },
          committed() {},
          // Where it was recorded nevertheless, the next one who asks finds the branch moved.
          aborted() {},
        };
        const { output, done } = await repository.receivePack(body, hooks, {
          ...optionsOf(request),
          maxPackBytes: kind.maxPackBytes,
        });
        done.catch((error: unknown) => log.info({ err: error }, `push to a ${what} broke off`));
        return output;
      }),
  };
}

const optionsOf = ({ protocol, signal }: Asked) => ({ signal, ...(protocol !== undefined && { protocol }) });
