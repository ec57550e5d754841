import type { Readable } from 'node:stream';
import type { EventMetadata, Position } from '@forgelog/eventing/event.ts';
import type { ProjectSummary } from '../access.ts';
import type { FirstPushRequest, GitRequest, GitService, GitTransport } from '../git-transport.ts';
import type { ExchangeClaims } from './exchange-token.ts';
import { firstAnswer } from './first-answer.ts';
import type { ServiceClient } from './service-client.ts';

type Operation = (ExchangeClaims & { kind: 'git' })['operation'];

/** git's exchange with the repo service in another process: bodies stream both ways, and a break breaks both. */
export function remoteGitTransport(ports: {
  client: ServiceClient;
  /** Address of the instance that holds a project's repository. @throws Rejection where there is none */
  urlOf: (project: Pick<ProjectSummary, 'id' | 'storage'>) => string;
  /** Instances that can hold a new repository: the next one is asked where one does not answer. */
  newRepository: (path: string) => readonly string[];
  /** What the rights that the gateway checked are as new as. */
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
    });
  };
  const callNew = (
    operation: (ExchangeClaims & { kind: 'first-push' })['operation'],
    url: string,
    request: FirstPushRequest & { metadata?: EventMetadata },
    body?: Readable,
  ): Promise<Readable> =>
    ports.client.call({
      service: 'repo',
      url,
      method: body ? 'POST' : 'GET',
      target: `/git/${operation}`,
      claims: {
        kind: 'first-push',
        operation,
        path: request.path,
        principal: { ...request.principal, scopes: [...request.principal.scopes] },
        protocol: request.protocol ?? null,
        metadata: request.metadata ?? null,
        traceparent: request.traceparent,
        position: ports.position(),
      },
      body,
      signal: request.signal,
      repeatable: operation === 'advertiseNew',
    });
  return {
    advertiseNew: (request) =>
      firstAnswer(ports.newRepository(request.path), (url) => callNew('advertiseNew', url, request)),
    // A body that streams can be sent only once.
    receiveNew: (body, request) =>
      callNew('receiveNew', ports.newRepository(request.path)[0]!, request, body),
    advertise: (service, request) => call('advertise', service, request),
    uploadPack: (body, request) => call('uploadPack', 'git-upload-pack', request, body),
    receivePack: (body, request) => call('receivePack', 'git-receive-pack', request, body),
  };
}
