import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { advertiseFirstPush } from '@forgelog/contracts/repo/projects/first-push.operations.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Authorizer, GroupGrant, ProjectGrant } from '@forgelog/service-kit/access.ts';
import { sendOptions } from '@forgelog/service-kit/allowed-methods.ts';
import { decodedBody } from '@forgelog/service-kit/content-encoding.ts';
import { logRefusal } from '@forgelog/service-kit/failure-log.ts';
import type {
  GitRequest,
  GitService,
  GitTransport,
  RepositoryTransport,
} from '@forgelog/service-kit/git-transport.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { Operations } from '@forgelog/service-kit/operations.ts';
import { metadataOf, type Principal, userIdOf } from '@forgelog/service-kit/principal.ts';
import { type Refusal, sendError } from '@forgelog/service-kit/send.ts';
import { traceIdOf } from '@forgelog/service-kit/telemetry/tracing.ts';
import { unavailability } from '@forgelog/service-kit/unavailable.ts';
import type { AccessLog } from './access-log/access-log.ts';
import { watchFetch } from './access-log/watch-fetch.ts';
import type { GatewayHandler } from './application.ts';
import { BlockedUser } from './authentication.ts';
import { type BasicAuthentication, readBasic } from './basic-authentication.ts';
import {
  addressWithin,
  type GitAddress,
  readGitAddress,
  readSnippetPath,
  readWikiPath,
} from './git-address.ts';
import type { RequestRecord } from './request-record.ts';
import type { SignIns } from './sign-ins.ts';
import { Throttled, type Throttles } from './throttles/throttles.ts';

export interface GitHttpPorts {
  basic: BasicAuthentication;
  authorizer: Authorizer;
  transport: GitTransport;
  operations: Operations;
  barrier: () => unknown;
  /** The id of the project that had this full path before a rename or transfer. */
  formerProject: (fullPath: string) => Promise<number | undefined>;
  /** Whether a merge request may let the caller push, who is no Developer: which branches is asked later. */
  mayCollaborate: (grant: ProjectGrant) => Promise<boolean>;
  log: Logger;
  accessLog: AccessLog;
  signIns: SignIns;
  throttles: Throttles;
}

type Asked = Exclude<GitAddress, { kind: 'redirect' | 'dumb' }>;
interface GitExchange {
  request: IncomingMessage;
  response: ServerResponse;
  record: RequestRecord;
}

/** A refusal as plain text, which git prints after `remote:`. */
class GitRefusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, text: string, headers: Record<string, string> = {}) {
    super(text);
    this.status = status;
    this.headers = headers;
  }
}

const NOT_CACHED = {
  'Cache-Control': 'no-cache, max-age=0, must-revalidate',
  Pragma: 'no-cache',
  Expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
};
const DEVELOPER = 30;
/** The most bytes that a gzip body may expand to. Git compresses only its negotiation, never a pack. */
const MAX_UNPACKED = 64 * 1024 * 1024;

const challenge = () =>
  new GitRefusal(401, 'HTTP Basic: Access denied', { 'WWW-Authenticate': 'Basic realm="Forgelog"' });
const noProject = () =>
  new GitRefusal(
    404,
    "The project you were looking for could not be found or you don't have permission to view it.",
  );
const noSnippet = () =>
  new GitRefusal(
    404,
    "The snippet you were looking for could not be found or you don't have permission to view it.",
  );
const noWiki = () =>
  new GitRefusal(
    404,
    "The wiki you were looking for could not be found or you don't have permission to view it.",
  );
const noDumb = () => new GitRefusal(403, 'Only the smart HTTP protocol of git is spoken here.');

/** Serves git over HTTP (companions.md 4): checks access, then streams git's exchange in both directions. */
export function serveGit(ports: GitHttpPorts): GatewayHandler {
  return (request, response, next) => {
    const { record } = response.locals;
    const address = readGitAddress(record.path, record.search);
    if (address === null) return next();
    const exchange = { request, response, record };
    answer(address, exchange, ports).catch((error: unknown) => refuse(error, exchange, ports.log));
  };
}

async function answer(address: GitAddress, exchange: GitExchange, ports: GitHttpPorts): Promise<void> {
  const { request, response } = exchange;
  if (address.kind === 'dumb' || request.method === 'HEAD') throw noDumb();
  if (address.kind === 'redirect') return redirect(response, address.to);
  if (address.service === null) throw noDumb();
  const method = address.kind === 'advertise' ? 'GET' : 'POST';
  const allow = `${method}, OPTIONS`;
  if (request.method === 'OPTIONS') return sendOptions(response, allow);
  if (request.method !== method)
    throw new GitRefusal(405, `${request.method} is not allowed here`, { Allow: allow });
  await ports.barrier();
  const admit = (principal: Principal | null) =>
    ports.throttles.admit('git', { method, record: exchange.record, principal });
  const principal = await callerOf(exchange, ports).catch(async (error: unknown) => {
    await admit(null);
    throw error;
  });
  exchange.record.principal = principal;
  await admit(principal);
  exchange.record.git = { project: address.project, service: address.service };
  const found = await ports.authorizer.project(address.project, principal);
  if (!found) {
    const id = await ports.formerProject(address.project);
    const grant = id === undefined ? undefined : await ports.authorizer.project(String(id), principal);
    if (grant) {
      await requireRight(address.service, grant, principal, ports);
      return redirect(response, addressOf(grant, address));
    }
  }
  const snippet = found ? null : readSnippetPath(address.project);
  if (snippet) return answerSnippet(snippet, { address, principal }, exchange, ports);
  const wikiOf = found ? null : readWikiPath(address.project);
  if (wikiOf !== null) return answerWiki(wikiOf, { address, principal }, exchange, ports);
  if (!found) {
    if (principal === null) throw challenge();
    if (address.service !== 'git-receive-pack' || !mayWrite(principal)) throw noProject();
    return (
      serve(address, address.service, { path: address.project, principal }, exchange, ports)
        // Callers who may not create here get the same answer as for a missing project.
        .catch((error: unknown) => {
          throw error instanceof Rejection && error.code === 'not_found' ? noProject() : error;
        })
    );
  }
  await requireRight(address.service, found, principal, ports);
  return serve(address, address.service, { grant: found, principal }, exchange, ports);
}

async function answerSnippet(
  { project, snippetId }: NonNullable<ReturnType<typeof readSnippetPath>>,
  { address, principal }: { address: Asked; principal: Principal | null },
  exchange: GitExchange,
  ports: GitHttpPorts,
): Promise<void> {
  const grant = project === null ? null : await ports.authorizer.project(project, principal);
  const words = { what: 'snippet', missing: noSnippet };
  await refusingAsGit(words, { address, principal }, async () => {
    if (grant === undefined) throw new Rejection('not_found', { what: 'Snippet' });
    await serve(address, address.service!, { snippetId, grant, principal }, exchange, ports);
  });
}

async function answerWiki(
  path: string,
  { address, principal }: { address: Asked; principal: Principal | null },
  exchange: GitExchange,
  ports: GitHttpPorts,
): Promise<void> {
  const grant =
    (await ports.authorizer.project(path, principal)) ?? (await ports.authorizer.group(path, principal));
  if (!grant) {
    const id = await ports.formerProject(path);
    const moved = id === undefined ? undefined : await ports.authorizer.project(String(id), principal);
    if (moved?.can('wiki')) return redirect(exchange.response, addressOf(moved, address, '.wiki'));
  }
  await refusingAsGit({ what: 'wiki', missing: noWiki }, { address, principal }, async () => {
    if (!grant) throw new Rejection('not_found', { what: 'Wiki' });
    await serve(address, address.service!, { wiki: true, grant, principal }, exchange, ports);
  });
}

/** Says in git's words what the service of a record refuses. */
async function refusingAsGit(
  { what, missing }: { what: string; missing: () => GitRefusal },
  { address, principal }: { address: Asked; principal: Principal | null },
  work: () => Promise<void>,
): Promise<void> {
  const isPush = address.service === 'git-receive-pack';
  try {
    if (isPush && (principal === null || !mayWrite(principal))) throw new Rejection('forbidden', {});
    await work();
  } catch (error) {
    if (!(error instanceof Rejection) || !RECORD_REFUSALS.has(error.code)) throw error;
    if (principal === null) throw challenge();
    if (error.code !== 'forbidden') throw missing();
    throw new GitRefusal(403, `You are not allowed to ${isPush ? 'push to' : 'download'} this ${what}.`);
  }
}

const RECORD_REFUSALS: ReadonlySet<string> = new Set(['not_found', 'record_not_found', 'forbidden']);

/** Returns null without credentials. @throws GitRefusal 401 for wrong ones, even on a public project */
async function callerOf(
  { request, record }: GitExchange,
  { basic, signIns }: Pick<GitHttpPorts, 'basic' | 'signIns'>,
): Promise<Principal | null> {
  const given = readBasic(request);
  if (given.kind === 'none') return null;
  if (given.kind === 'unreadable') {
    signIns.refused('wrong_password', record);
    throw challenge();
  }
  const principal = await basic.principal(given.username, given.password, record).catch((error: unknown) => {
    if (error instanceof BlockedUser) signIns.refused('blocked_user', record, error.userId);
    throw error;
  });
  if (!principal) throw challenge();
  if (!principal.scopes.some((scope) => READING.includes(scope))) {
    signIns.refused('scope', record, userIdOf(principal) ?? undefined);
    throw challenge();
  }
  await signIns.used(principal, record);
  return principal;
}

const READING: readonly string[] = ['api', 'read_repository', 'write_repository'];
const WRITING: readonly string[] = ['api', 'write_repository'];

const mayWrite = ({ scopes }: Principal): boolean => scopes.some((scope) => WRITING.includes(scope));

/** A project that the caller sees, a path where they see none, a snippet or a wiki. */
type Counterpart =
  | { grant: ProjectGrant; principal: Principal | null }
  | { wiki: true; grant: ProjectGrant | GroupGrant; principal: Principal | null }
  | { snippetId: number; grant: ProjectGrant | null; principal: Principal | null }
  | { path: string; principal: Principal };

async function requireRight(
  service: GitService,
  grant: ProjectGrant,
  principal: Principal | null,
  { mayCollaborate }: Pick<GitHttpPorts, 'mayCollaborate'>,
): Promise<void> {
  const canRead = grant.can('repository');
  if (principal === null && (service === 'git-receive-pack' || !canRead)) throw challenge();
  if (!canRead) throw new GitRefusal(403, 'You are not allowed to download code from this project.');
  if (service === 'git-upload-pack') return;
  if (!mayWrite(principal!) || (grant.level < DEVELOPER && !(await mayCollaborate(grant))))
    throw new GitRefusal(403, 'You are not allowed to push code to this project.');
}

function addressOf({ project }: ProjectGrant, { kind, service }: Asked, beside = ''): string {
  const rest = kind === 'advertise' ? 'info/refs' : service;
  return `/${project.fullPath}${beside}.git/${addressWithin(rest, service)}`;
}

function redirect(response: ServerResponse, to: string): void {
  response.writeHead(301, { Location: to, 'Content-Length': 0 });
  response.end();
}

async function serve(
  address: Asked,
  service: GitService,
  counterpart: Counterpart,
  { request, response, record }: GitExchange,
  { transport, operations, accessLog }: Pick<GitHttpPorts, 'transport' | 'operations' | 'accessLog'>,
): Promise<void> {
  const abort = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) abort.abort();
  });
  const header = request.headers['git-protocol'];
  const protocol = Array.isArray(header) ? header[0] : header;
  const { principal } = counterpart;
  const about = { protocol, traceparent: record.traceparent, signal: abort.signal };
  const exchange = exchangeWith(counterpart, service, about, { transport, operations });
  if (address.kind === 'advertise') {
    const output = await exchange.advertise();
    return send(output, response, `application/x-${service}-advertisement`);
  }
  const expected = `application/x-${service}-request`;
  if (request.headers['content-type'] !== expected)
    throw new GitRefusal(415, `The content type must be ${expected}`);
  const body = decodedBody(request, MAX_UNPACKED);
  const fetched = service === 'git-upload-pack' ? watchFetch(body) : undefined;
  const metadata = metadataOf(principal, record);
  try {
    const output = await exchange.send(body, metadata);
    await firstOutput(output);
    // git may end without a word before the break in the body has come: the rest of the body tells.
    if (output.readableLength === 0) await finished(body).catch(() => {});
    if (body.errored) throw body.errored;
    const operation = fetched?.();
    if (operation && !('path' in counterpart || 'snippetId' in counterpart || 'wiki' in counterpart))
      accessLog.repositoryFetched(counterpart.grant.project.id, operation, record);
    return await send(output, response, `application/x-${service}-result`);
  } catch (error) {
    // A body error explains the failure better than git's complaint about truncated input.
    throw body.errored instanceof Rejection ? body.errored : error;
  }
}

type About = Pick<GitRequest, 'protocol' | 'traceparent' | 'signal'>;

function exchangeWith(
  counterpart: Counterpart,
  service: GitService,
  about: About,
  { transport, operations }: Pick<GitHttpPorts, 'transport' | 'operations'>,
) {
  if ('path' in counterpart)
    return {
      advertise: () => advertiseNew(counterpart, about.protocol, operations),
      send: (body: Readable, metadata: EventMetadata) =>
        transport.receiveNew(body, { ...counterpart, ...about, metadata }),
    };
  if ('snippetId' in counterpart) return within(transport.snippets, service, { ...counterpart, ...about });
  if ('wiki' in counterpart) return within(transport.wikis, service, { ...counterpart, ...about });
  return within(transport, service, { ...counterpart, ...about });
}

const within = <Request>(
  repositories: RepositoryTransport<Request>,
  service: GitService,
  request: Request,
) => ({
  advertise: () => repositories.advertise(service, request),
  send: (body: Readable, metadata: EventMetadata) =>
    service === 'git-upload-pack'
      ? repositories.uploadPack(body, request)
      : repositories.receivePack(body, { ...request, metadata }),
});

async function advertiseNew(
  { path, principal }: Extract<Counterpart, { path: string }>,
  protocol: string | undefined,
  operations: Operations,
): Promise<Readable> {
  const asked = { path, protocol: protocol ?? null };
  const { advertisement } = await operations.call(advertiseFirstPush, asked, { principal });
  return Readable.from([Buffer.from(advertisement, 'base64')], { objectMode: false });
}

/** Resolves on the first output: until then a failure can still be answered with a status and a text. */
async function firstOutput(output: Readable): Promise<void> {
  await Promise.race([once(output, 'readable'), finished(output)]);
}

async function send(output: Readable, response: ServerResponse, type: string): Promise<void> {
  response.writeHead(200, { 'Content-Type': type, ...NOT_CACHED });
  await pipeline(output, response);
}

function refuse(error: unknown, exchange: GitExchange, log: Logger): void {
  const { request, response, record } = exchange;
  const { requestId } = record;
  const traceId = traceIdOf(record.traceparent);
  // After the headers are sent, or once the client has disconnected, the connection can only be closed.
  if (response.headersSent || response.destroyed) {
    if (!response.destroyed) response.destroy();
    log.info({ err: error, requestId, traceId }, 'git exchange broke off');
    return;
  }
  const asked = { requestId, traceId };
  if (error instanceof Rejection) logRefusal(log, error, asked);
  else if (!(error instanceof GitRefusal || error instanceof Throttled))
    log.error({ err: error, ...asked }, 'git exchange failed');
  sendError(request, response, requestId, inWords(error));
}

function inWords(error: unknown): Refusal {
  if (error instanceof Throttled) return error;
  if (error instanceof GitRefusal)
    return { status: error.status, headers: error.headers, body: `${error.message}\n` };
  const rejection = error instanceof Rejection ? error : unavailability(error);
  if (!rejection) return { status: 500, body: 'Something went wrong on our side.\n' };
  const { status, headers, code } = rejection;
  const { message, error: text } = rejection.body as {
    message?: string | { error: string };
    error?: string;
  };
  const said = typeof message === 'object' ? message.error : (message ?? text ?? code);
  return { status, headers, body: `${said}\n` };
}
