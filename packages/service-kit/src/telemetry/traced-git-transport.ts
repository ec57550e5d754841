import { finished, type Readable } from 'node:stream';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { FirstPushRequest, GitRequest, GitTransport, SnippetGitRequest } from '../git-transport.ts';
import type { Tracer } from './tracing.ts';

export function tracedGitTransport(transport: GitTransport, tracer: Tracer | undefined): GitTransport {
  if (!tracer) return transport;

  async function traced(
    what: string,
    request: GitRequest | FirstPushRequest | SnippetGitRequest,
    work: (traceparent: string) => Promise<Readable>,
  ): Promise<Readable> {
    const attributes: Record<string, number> =
      'grant' in request && request.grant ? { 'forgelog.project': request.grant.project.id } : {};
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

  return {
    advertise: (service, request) =>
      traced('git-info-refs', request, () => transport.advertise(service, request)),
    uploadPack: (body, request) =>
      traced('git-upload-pack', request, () => transport.uploadPack(body, request)),
    receivePack: (body, request) =>
      traced('git-receive-pack', request, (traceparent) =>
        transport.receivePack(body, { ...request, metadata: { ...request.metadata, traceparent } }),
      ),
    receiveNew: (body, request) =>
      traced('git-receive-pack', request, (traceparent) =>
        transport.receiveNew(body, { ...request, metadata: { ...request.metadata, traceparent } }),
      ),
    snippets: {
      advertise: (service, request) =>
        traced('git-info-refs', request, () => transport.snippets.advertise(service, request)),
      uploadPack: (body, request) =>
        traced('git-upload-pack', request, () => transport.snippets.uploadPack(body, request)),
      receivePack: (body, request) =>
        traced('git-receive-pack', request, (traceparent) =>
          transport.snippets.receivePack(body, {
            ...request,
            metadata: { ...request.metadata, traceparent },
          }),
        ),
    },
  };
}
