/** A minimal HTTP server that stock git can clone from and push to, like the gateway. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Repository } from '../git.ts';
import type { RefUpdate } from '../refs/ref-transaction.ts';
import type { PushHooks } from '../transport/receive-pack.ts';
import type { GitService } from '../transport/upload-pack.ts';

/** The hooks of a push, in order. */
export type PushEvent = [hook: 'preReceive' | 'prepared' | 'committed' | 'aborted', updates: RefUpdate[]];

export interface GitServer {
  url: string;
  events: PushEvent[];
  pushOptions: string[][];
  /** Replace to refuse, throw or look; called before the event is noted. */
  hooks: Partial<PushHooks>;
  /** How each push ended: the refs that moved, or its error. */
  pushes: Promise<RefUpdate[] | Error>[];
  requests: Set<ServerResponse>;
  close(): Promise<void>;
}

export async function serveGit(repository: Repository): Promise<GitServer> {
  const server = createServer((request, response) => {
    git.requests.add(response);
    response.once('close', () => git.requests.delete(response));
    answer(repository, git, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const git: GitServer = {
    url: `http://127.0.0.1:${port}/repo.git`,
    events: [],
    pushOptions: [],
    hooks: {},
    pushes: [],
    requests: new Set(),
    close: () => closeServer(server),
  };
  return git;
}

async function answer(
  repository: Repository,
  git: GitServer,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const url = new URL(request.url!, 'http://host');
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const options = { protocol: request.headers['git-protocol'] as string | undefined, signal: gone.signal };
  const body = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request;
  if (url.pathname.endsWith('/info/refs')) {
    const service = url.searchParams.get('service') as GitService;
    response.setHeader('content-type', `application/x-${service}-advertisement`);
    await pipeline(await repository.advertise(service, options), response);
  } else if (url.pathname.endsWith('/git-upload-pack')) {
    response.setHeader('content-type', 'application/x-git-upload-pack-result');
    await pipeline(await repository.uploadPack(body, options), response);
  } else {
    response.setHeader('content-type', 'application/x-git-receive-pack-result');
    const push = await repository.receivePack(body, noted(git), options);
    git.pushes.push(push.done.catch((error: Error) => error));
    await pipeline(push.output, response);
  }
}

function noted(git: GitServer): PushHooks {
  return {
    async preReceive(updates, context) {
      git.events.push(['preReceive', updates]);
      git.pushOptions.push(context.pushOptions);
      return (await git.hooks.preReceive?.(updates, context)) ?? { ok: true };
    },
    async prepared(updates) {
      git.events.push(['prepared', updates]);
      await git.hooks.prepared?.(updates);
    },
    async committed(updates) {
      git.events.push(['committed', updates]);
      await git.hooks.committed?.(updates);
    },
    async aborted(updates) {
      git.events.push(['aborted', updates]);
      await git.hooks.aborted?.(updates);
    },
  };
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
