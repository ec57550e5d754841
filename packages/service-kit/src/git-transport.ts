import type { Readable } from 'node:stream';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { ProjectGrant } from './access.ts';
import type { Principal } from './principal.ts';

/** What a git client wants: to read, or to write. */
export type GitService = 'git-upload-pack' | 'git-receive-pack';

/** One request of git's, whose caller may do what he asks for as far as the project's door goes. */
export interface GitRequest {
  grant: ProjectGrant;
  /** null for an anonymous caller. */
  principal: Principal | null;
  /** The `Git-Protocol` header, as it came. */
  protocol: string | undefined;
  /** Of the trace that it belongs to; undefined where tracing is off. */
  traceparent?: string | undefined;
  /** Fires when the client is gone: what runs for it ends. */
  signal: AbortSignal;
}

/** A push to an address where the caller sees nothing. */
export interface FirstPushRequest extends Omit<GitRequest, 'grant'> {
  /** As the caller wrote it, decoded, without `.git`. */
  path: string;
  principal: Principal;
}

/**
 * Port: git's own exchange, as the service that has the repositories offers it to the gateway. Bodies arrive
 * decoded. A stream that fails is destroyed, so that half an answer is never taken for a whole one.
 * @throws Rejection `unavailable` where too much is going on
 */
export interface GitTransport {
  /** What there is: the body of `info/refs`. */
  advertise(service: GitService, request: GitRequest): Promise<Readable>;
  uploadPack(body: Readable, request: GitRequest): Promise<Readable>;
  /** `metadata`: what the events that the push causes say of it. */
  receivePack(body: Readable, request: GitRequest & { metadata: EventMetadata }): Promise<Readable>;
  /**
   * A push to an address where there is nothing yet: it makes what it is pushed to once it is let in.
   * @throws Rejection `not_found` where the caller may make nothing there
   */
  receiveNew(body: Readable, request: FirstPushRequest & { metadata: EventMetadata }): Promise<Readable>;
}
