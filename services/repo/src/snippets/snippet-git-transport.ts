import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { ConflictError } from '@forgelog/eventing/command-handler.ts';
import { MoveRefusedError } from '@forgelog/git/errors.ts';
import type { PushHooks } from '@forgelog/git/transport/receive-pack.ts';
import { READ_ONLY } from '@forgelog/service-kit/access.ts';
import type { GitService, SnippetGitRequest, SnippetTransport } from '@forgelog/service-kit/git-transport.ts';
import { userIdOf } from '@forgelog/service-kit/principal.ts';
import type { RepoPorts } from '../ports.ts';
import { unlessBusy } from '../repository-storage/git-busy.ts';
import { requireChangeable, requireOfProject, requirePersonal } from './snippet.access.ts';
import { snippetDecider, snippetStream } from './snippet.decider.ts';
import { type PushedCommit, PushRefused, pushedCommits, reasonOf } from './snippet-push.rules.ts';
import { createSnippetRepositories } from './snippet-repositories.ts';
import type { SnippetRow } from './snippets.projection.ts';

const CHANGED = 'The snippet was changed at the same time: fetch it, and push again.';
const GONE = 'The snippet was deleted, or you may no longer write it.';
/** A pack is smaller than this: texts of a snippet are, and their history is packed. */
const MOST_PACK_BYTES = 16 * 1024 * 1024;

/** Serves git over HTTP for snippets. A push is a command like any other, and the repository follows from its events. */
export function createSnippetTransport(
  ports: Pick<RepoPorts, 'readStore' | 'commands' | 'history' | 'git' | 'log'>,
): SnippetTransport {
  const { readStore, commands, log } = ports;
  const repositories = createSnippetRepositories(ports);

  /** @throws Rejection as the API answers who may not do it */
  async function permitted(service: GitService, request: SnippetGitRequest): Promise<SnippetRow> {
    const { snippetId, grant, principal } = request;
    if (grant && !grant.can('snippets')) throw new Rejection('not_found', { what: 'Snippet' });
    const row = await (grant
      ? requireOfProject(readStore, grant, principal, snippetId)
      : requirePersonal(readStore, principal, snippetId));
    // They are for the repository of the project, and see of its snippets what everybody sees.
    if (principal?.deployToken && row.visibility !== 'public') throw new Rejection('record_not_found');
    if (service === 'git-upload-pack') return row;
    if (principal === null || userIdOf(principal) === null) throw new Rejection('forbidden', {});
    const readOnly = grant?.project.readOnly ?? null;
    if (readOnly !== null) throw new Rejection('forbidden', { reason: READ_ONLY[readOnly] });
    const asAdmin = principal.isAdmin ? AccessLevel.owner : AccessLevel.none;
    requireChangeable(row, principal, grant ? grant.level : asAdmin);
    return row;
  }

  async function opened(service: GitService, request: SnippetGitRequest) {
    const row = await permitted(service, request);
    return { row, ...(await repositories.upToDate(row)) };
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

    receivePack: (body, { metadata, ...request }) =>
      unlessBusy(async () => {
        const { row, repository, revision } = await opened('git-receive-pack', request);
        const { id: snippetId, projectId, authorId } = row;
        const stream = snippetStream(snippetId);
        let commits: PushedCommit[] = [];
        const hooks: PushHooks = {
          async preReceive(updates, { quarantine }) {
            const reads = repository.inQuarantine(quarantine);
            try {
              // A push may take a while.
              await permitted('git-receive-pack', request);
              const { state } = await commands.load(snippetDecider, stream, { at: revision });
              if (state.status !== 'present') return { ok: false, message: GONE };
              commits = await pushedCommits(updates, { reads, files: state.files, repository });
              return { ok: true };
            } catch (error) {
              if (error instanceof PushRefused) return { ok: false, message: error.message };
              if (error instanceof Rejection) return { ok: false, message: GONE };
              throw error;
            } finally {
              reads.close();
            }
          },
          async prepared() {
            const command = { type: 'PushSnippet' as const, snippetId, projectId, authorId, commits };
            try {
              await commands.handle(snippetDecider, stream, command, metadata, { at: revision });
            } catch (error) {
              if (error instanceof ConflictError) throw new MoveRefusedError(CHANGED);
              throw error instanceof Rejection ? new MoveRefusedError(reasonOf(error)) : error;
            }
          },
          committed() {},
          // Where it was recorded nevertheless, the next one who asks finds the branch moved.
          aborted() {},
        };
        const { output, done } = await repository.receivePack(body, hooks, {
          ...optionsOf(request),
          maxPackBytes: MOST_PACK_BYTES,
        });
        done.catch((error: unknown) => log.info({ err: error, snippetId }, 'push to a snippet broke off'));
        return output;
      }),
  };
}

const optionsOf = ({ protocol, signal }: SnippetGitRequest) => ({
  signal,
  ...(protocol !== undefined && { protocol }),
});
