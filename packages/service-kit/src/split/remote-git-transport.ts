import type { Readable } from 'node:stream';
import type { Position } from '@forgelog/eventing/event.ts';
import type { ProjectSummary } from '../access.ts';
import type {
  GitRequest,
  GitService,
  GitTransport,
  RepositoryTransport,
  SnippetGitRequest,
  WikiGitRequest,
} from '../git-transport.ts';
import type { ExchangeClaims } from './exchange-token.ts';
import type { ServiceClient } from './service-client.ts';

type Operation = (ExchangeClaims & { kind: 'git' })['operation'];

export function remoteGitTransport(ports: {
  client: ServiceClient;
  /** @throws Rejection where no instance holds the project's storage */
  urlOf: (project: Pick<ProjectSummary, 'id' | 'storage'>) => string;
  newRepository: (path: string) => string;
  /** The log position of the rights that the gateway checked. */
  position: () => Position;
}): GitTransport {
  type Asked = GitRequest | SnippetGitRequest | WikiGitRequest;
  type WithMetadata = Partial<Pick<ExchangeClaims & { kind: 'git' }, 'metadata'>>;
  /** A repository of a project, a snippet or a wiki, and where it is. */
  interface Repository {
    url: string;
    folder: string;
    named:
      | { kind: 'git'; projectId: number }
      | { kind: 'snippet-git'; snippetId: number; projectId: number | null }
      | { kind: 'wiki-git'; projectId: number | null; groupId: number | null };
  }

  const exchange = (
    { url, folder, named }: Repository,
    operation: Operation,
    service: GitService,
    { principal, protocol, metadata, traceparent, signal }: Asked & WithMetadata,
    body?: Readable,
  ): Promise<Readable> =>
    ports.client.call({
      ...{ service: 'repo', url, method: body ? 'POST' : 'GET', target: `${folder}/${operation}` },
      claims: {
        ...{ ...named, operation, service },
        principal: principal && { ...principal, scopes: [...principal.scopes] },
        protocol: protocol ?? null,
        metadata: metadata ?? null,
        traceparent,
        position: ports.position(),
      },
      ...{ body, signal, repeatable: operation !== 'receivePack', waits: true },
    });

  const call = (
    operation: Operation,
    service: GitService,
    request: GitRequest & WithMetadata,
    body?: Readable,
  ) => {
    const { project } = request.grant;
    const named = { kind: 'git', projectId: project.id } as const;
    return exchange({ url: ports.urlOf(project), folder: '/git', named }, operation, service, request, body);
  };

  const callSnippet = (
    operation: Operation,
    service: GitService,
    request: SnippetGitRequest & WithMetadata,
    body?: Readable,
  ) => {
    const { snippetId, grant } = request;
    // Any instance can make the repository: one of them for each snippet, so that it is made once.
    const url = grant ? ports.urlOf(grant.project) : ports.newRepository(`snippets/${snippetId}`);
    const named = { kind: 'snippet-git', snippetId, projectId: grant?.project.id ?? null } as const;
    return exchange({ url, folder: '/git/snippets', named }, operation, service, request, body);
  };

  const callWiki = (
    operation: Operation,
    service: GitService,
    request: WikiGitRequest & WithMetadata,
    body?: Readable,
  ) => {
    const { grant } = request;
    const place =
      'project' in grant
        ? { projectId: grant.project.id, groupId: null }
        : { projectId: null, groupId: grant.group.id };
    const url =
      'project' in grant ? ports.urlOf(grant.project) : ports.newRepository(`wikis/${grant.group.id}`);
    const named = { kind: 'wiki-git', ...place } as const;
    return exchange({ url, folder: '/git/wikis', named }, operation, service, request, body);
  };

  return {
    ...repositoriesBy(call),
    snippets: repositoriesBy(callSnippet),
    wikis: repositoriesBy(callWiki),
    receiveNew: (body, { path, principal, protocol, metadata, traceparent, signal }) =>
      ports.client.call({
        service: 'repo',
        url: ports.newRepository(path),
        method: 'POST',
        target: '/git/receiveNew',
        claims: {
          kind: 'first-push',
          path,
          principal: { ...principal, scopes: [...principal.scopes] },
          protocol: protocol ?? null,
          metadata,
          traceparent,
          position: ports.position(),
        },
        body,
        signal,
        // A streamed body can be sent only once.
        repeatable: false,
        waits: true,
      }),
  };
}

const repositoriesBy = <Request>(
  call: (operation: Operation, service: GitService, request: Request, body?: Readable) => Promise<Readable>,
): RepositoryTransport<Request> => ({
  advertise: (service, request) => call('advertise', service, request),
  uploadPack: (body, request) => call('uploadPack', 'git-upload-pack', request, body),
  receivePack: (body, request) => call('receivePack', 'git-receive-pack', request, body),
});
