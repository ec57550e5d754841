import type { Readable } from 'node:stream';
import type { Position } from '@forgelog/eventing/event.ts';
import type { ProjectSummary } from '../access.ts';
import type { GitRequest, GitService, GitTransport, SnippetGitRequest } from '../git-transport.ts';
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
  const call = (
    operation: Operation,
    service: GitService,
    request: GitRequest & Partial<Pick<ExchangeClaims & { kind: 'git' }, 'metadata'>>,
    body?: Readable,
  ): Promise<Readable> => {
    const { project } = request.grant;
    return ports.client.call({
      service: 'repo',
      url: ports.urlOf(project),
      method: body ? 'POST' : 'GET',
      target: `/git/${operation}`,
      claims: {
        kind: 'git',
        operation,
        service,
        projectId: project.id,
        principal: request.principal && { ...request.principal, scopes: [...request.principal.scopes] },
        protocol: request.protocol ?? null,
        metadata: request.metadata ?? null,
        traceparent: request.traceparent,
        position: ports.position(),
      },
      body,
      signal: request.signal,
      repeatable: operation !== 'receivePack',
      waits: true,
    });
  };
  const callSnippet = (
    operation: Operation,
    service: GitService,
    request: SnippetGitRequest & Partial<Pick<ExchangeClaims & { kind: 'git' }, 'metadata'>>,
    body?: Readable,
  ): Promise<Readable> => {
    const { snippetId, grant, principal } = request;
    return ports.client.call({
      service: 'repo',
      // Any instance can make the repository: one of them for each snippet, so that it is made once.
      url: grant ? ports.urlOf(grant.project) : ports.newRepository(`snippets/${snippetId}`),
      method: body ? 'POST' : 'GET',
      target: `/git/snippets/${operation}`,
      claims: {
        ...{ kind: 'snippet-git', operation, service, snippetId, projectId: grant?.project.id ?? null },
        principal: principal && { ...principal, scopes: [...principal.scopes] },
        protocol: request.protocol ?? null,
        metadata: request.metadata ?? null,
        traceparent: request.traceparent,
        position: ports.position(),
      },
      body,
      signal: request.signal,
      repeatable: operation !== 'receivePack',
      waits: true,
    });
  };
  return {
    snippets: {
      advertise: (service, request) => callSnippet('advertise', service, request),
      uploadPack: (body, request) => callSnippet('uploadPack', 'git-upload-pack', request, body),
      receivePack: (body, request) => callSnippet('receivePack', 'git-receive-pack', request, body),
    },
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
    advertise: (service, request) => call('advertise', service, request),
    uploadPack: (body, request) => call('uploadPack', 'git-upload-pack', request, body),
    receivePack: (body, request) => call('receivePack', 'git-receive-pack', request, body),
  };
}
