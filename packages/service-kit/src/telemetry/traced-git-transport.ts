import { finished, type Readable } from 'node:stream';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { ProjectGrant } from '../access.ts';
import type { FirstPushRequest, GitRequest, GitTransport, RepositoryTransport } from '../git-transport.ts';
import type { Tracer } from './tracing.ts';

export function tracedGitTransport(transport: GitTransport, tracer: Tracer | undefined): GitTransport {
  if (!tracer) return transport;

  async function traced(
    what: string,
    request: Omit<GitRequest, 'grant'> | FirstPushRequest,
    work: (traceparent: string) => Promise<Readable>,
  ): Promise<Readable> {
    const attributes = projectOf(request);
    const parent = request.traceparent;
    const span = tracer!.start(`repo ${what}`, { component: 'repo', parent, attributes });
    try {
      const output = await work(span.traceparent);
      finished(output, { writable: false }, (error) => {
        // A client that disconnects is not an error of the service.
        if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') span.fail(error);
        span.end();
      });
      return output;
    } catch (error) {
      if (!(error instanceof Rejection)) span.fail(error);
      span.end();
      throw error;
    }
  }

  const tracedRepositories = <Request extends Omit<GitRequest, 'grant'>>(
    repositories: RepositoryTransport<Request>,
  ): RepositoryTransport<Request> => ({
    advertise: (service, request) =>
      traced('git-info-refs', request, () => repositories.advertise(service, request)),
    uploadPack: (body, request) =>
      traced('git-upload-pack', request, () => repositories.uploadPack(body, request)),
    receivePack: (body, request) =>
      traced('git-receive-pack', request, (traceparent) => {
        const metadata: EventMetadata = { ...request.metadata, traceparent };
        return repositories.receivePack(body, { ...request, metadata });
      }),
  });

  return {
    ...tracedRepositories(transport),
    receiveNew: (body, request) =>
      traced('git-receive-pack', request, (traceparent) =>
        transport.receiveNew(body, { ...request, metadata: { ...request.metadata, traceparent } }),
      ),
    snippets: tracedRepositories(transport.snippets),
    wikis: tracedRepositories(transport.wikis),
  };
}

function projectOf(request: object): Record<string, number> {
  const { grant } = request as { grant?: Partial<ProjectGrant> | null };
  return grant?.project ? { 'forgelog.project': grant.project.id } : {};
}
