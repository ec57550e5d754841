import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { READ_ONLY } from '@forgelog/service-kit/access.ts';
import type {
  GitService,
  RepositoryTransport,
  SnippetGitRequest,
} from '@forgelog/service-kit/git-transport.ts';
import { userIdOf } from '@forgelog/service-kit/principal.ts';
import type { RepoPorts } from '../ports.ts';
import { createMadeTransport } from '../shared/made-transport.ts';
import { requireChangeable, requireOfProject, requirePersonal } from './snippet.access.ts';
import { snippetDecider, snippetStream } from './snippet.decider.ts';
import { type PushedCommit, pushedCommits, reasonOf } from './snippet-push.rules.ts';
import { createSnippetRepositories } from './snippet-repositories.ts';
import type { SnippetRow } from './snippets.projection.ts';

/** A pack is smaller than this: texts of a snippet are, and their history is packed. */
const MOST_PACK_BYTES = 16 * 1024 * 1024;

/** Serves git over HTTP for snippets. */
export function createSnippetTransport(
  ports: Pick<RepoPorts, 'readStore' | 'commands' | 'history' | 'git' | 'log'>,
): RepositoryTransport<SnippetGitRequest> {
  const { readStore, commands, log } = ports;
  const { upToDate } = createSnippetRepositories(ports);

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

  return createMadeTransport<SnippetGitRequest, SnippetRow, PushedCommit>(
    {
      what: 'snippet',
      maxPackBytes: MOST_PACK_BYTES,
      permitted,
      upToDate,
      async check(updates, { target, reads, repository, revision }) {
        const { state } = await commands.load(snippetDecider, snippetStream(target.id), { at: revision });
        if (state.status !== 'present') throw new Rejection('not_found', { what: 'Snippet' });
        return { commits: await pushedCommits(updates, { reads, files: state.files, repository }) };
      },
      record({ id: snippetId, projectId, authorId }, commits, { metadata, at }) {
        const command = { type: 'PushSnippet' as const, snippetId, projectId, authorId, commits };
        return commands.handle(snippetDecider, snippetStream(snippetId), command, metadata, { at });
      },
      reasonOf,
    },
    log,
  );
}
