import type { Readable } from 'node:stream';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { GroupGrant, ProjectGrant } from './access.ts';
import type { Principal } from './principal.ts';

export type GitService = 'git-upload-pack' | 'git-receive-pack';

/** A git request whose caller has passed the project's access check. */
export interface GitRequest {
  grant: ProjectGrant;
  principal: Principal | null;
  protocol: string | undefined;
  traceparent?: string | undefined;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

/** A push to an address where the caller sees nothing. */
export interface FirstPushRequest extends Omit<GitRequest, 'grant'> {
  /** As the caller wrote it, decoded, without `.git`. */
  path: string;
  principal: Principal;
}

/** A request for the repository of a snippet. Its service checks who may read or write it. */
export interface SnippetGitRequest extends Omit<GitRequest, 'grant'> {
  snippetId: number;
  /** The caller's rights in the project whose snippet it is; null for a personal one. */
  grant: ProjectGrant | null;
}

/** A request for the repository of a wiki. Its service checks who may read or write it. */
export interface WikiGitRequest extends Omit<GitRequest, 'grant'> {
  /** The caller's rights in the project or the group whose wiki it is. */
  grant: ProjectGrant | GroupGrant;
}

/** Repositories of one kind. */
export interface RepositoryTransport<Request> {
  advertise(service: GitService, request: Request): Promise<Readable>;
  uploadPack(body: Readable, request: Request): Promise<Readable>;
  receivePack(body: Readable, request: Request & { metadata: EventMetadata }): Promise<Readable>;
}

/**
 * Port: git's smart HTTP protocol, which the repo service offers to the gateway. Request bodies arrive decoded.
 * A failing stream is destroyed, so that a partial answer is never taken for a complete one.
 * @throws Rejection `unavailable` when the service is overloaded
 */
export interface GitTransport extends RepositoryTransport<GitRequest> {
  /** Creates the repository. @throws Rejection `not_found` where the caller may not create one */
  receiveNew(body: Readable, request: FirstPushRequest & { metadata: EventMetadata }): Promise<Readable>;
  /** These throw Rejection `not_found` for what the caller does not see, `forbidden` for what they may not do. */
  snippets: RepositoryTransport<SnippetGitRequest>;
  wikis: RepositoryTransport<WikiGitRequest>;
}
