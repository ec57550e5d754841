import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request as send } from 'node:http';
import type { Readable } from 'node:stream';
import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import type { Rejection } from '@forgelog/contracts/errors.ts';
import { withDeadline } from '@forgelog/eventing/deadline.ts';
import { DEADLINES } from '../deadlines.ts';
import { collect } from '../request-body.ts';
import { unavailable } from '../unavailable.ts';
import { EXCHANGE_HEADER, type ExchangeClaims, type ExchangeTokens } from './exchange-token.ts';
import { createOutages, type Outages } from './outages.ts';
import { NOT_READY, REFUSED } from './service-app.ts';
import { readRejection } from './wire-rejection.ts';

export interface ServiceCall {
  service: ServiceName;
  url: string;
  method: string;
  target: string;
  headers?: OutgoingHttpHeaders;
  claims: ExchangeClaims;
  /** Sent as it arrives; an error in it aborts the call. */
  body?: Readable | Buffer;
  signal?: AbortSignal;
  /** Whether the call is idempotent: the client then retries a broken call, or allows the caller to retry. */
  repeatable: boolean;
  /** Whether the call waits for a service that restarts. Left out where there is another instance to ask. */
  waits: boolean;
}

export interface ServiceClient {
  /**
   * Resolves with the head of the answer; the caller reads its body.
   * @throws Rejection of the service, or `unavailable`: with Retry-After where nothing can have happened
   */
  call(call: ServiceCall): Promise<IncomingMessage>;
  waiting(): number;
  close(): void;
}

const CONNECT_MS = 2_000;
/** Shorter than a service that stops keeps connections that no call uses (`IDLE_MS` of the host's listener). */
const IDLE_MS = 1_000;
/** A call that broke off so often may be what breaks the service. */
const MAX_BROKEN = 3;
/** Each runner that waits for a job holds one. */
const MAX_SOCKETS = 8_192;
/** From the last byte of the request to the head of the answer: longer than any timeout within a service. */
const ANSWER_MS = 120_000;
const MAX_REFUSAL = 65_536;
const RETRY_S = 5;
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
const CUT = new Set([...NOT_CONNECTED, 'ECONNRESET', 'ECONNABORTED', 'EPIPE']);

class CallBroken extends Error {
  /** Whether the service may have seen the whole call. */
  readonly sent: boolean;
  /** Whether the connection broke, rather than that a time ran out, or that the caller went away. */
  readonly cut: boolean;
  readonly stale: boolean;

  constructor(cause: unknown, { sent, cut, stale }: Pick<CallBroken, 'sent' | 'cut' | 'stale'>) {
    super('a call to a service broke off', { cause });
    this.sent = sent;
    this.cut = cut;
    this.stale = stale;
  }
}

class NotReady extends Error {
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super('a service is not ready');
    this.rejection = rejection;
  }
}

/** Calls that may change something ask new connections whether they may go on (ADR 109). */
export function createServiceClient(options: {
  tokens: ExchangeTokens;
  answerMs?: number;
  restartMs?: number;
  outages?: Outages;
}): ServiceClient {
  const { tokens, answerMs = ANSWER_MS, restartMs = DEADLINES.restartMs } = options;
  const { outages = createOutages({ waitMs: restartMs }) } = options;
  const agent = new Agent({
    keepAlive: true,
    maxSockets: MAX_SOCKETS,
    scheduling: 'lifo',
    timeout: IDLE_MS,
  });

  async function attempt(call: ServiceCall): Promise<IncomingMessage> {
    const { body } = call;
    if (isStream(body)) body.on('error', () => {});
    const token = tokens.sign(call.claims, call.service);
    if (isStream(body) && isBroken(body))
      throw new CallBroken(body.errored, { sent: false, cut: false, stale: false });
    return new Promise((resolve, reject) => {
      const { hostname, port, pathname } = new URL(call.url);
      const outgoing = send({
        agent,
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        // Keep the client's spelling: parsing and printing would change the URL.
        path: `${pathname.replace(/\/$/, '')}${call.target}`,
        method: call.method,
        headers: { ...call.headers, [EXCHANGE_HEADER]: token },
        signal: call.signal,
      });
      const asks = !outgoing.reusedSocket && (!call.repeatable || isStream(body));
      let connected = false;
      let whole = !asks;
      let timer: NodeJS.Timeout | undefined;
      const within = (ms: number, what: string) => {
        clearTimeout(timer);
        timer = setTimeout(() => outgoing.destroy(new Error(`${what} took more than ${ms} ms`)), ms);
      };
      outgoing.on('socket', (socket) => {
        connected = !socket.connecting;
        if (connected) return;
        within(CONNECT_MS, 'the connection');
        socket.once('connect', () => {
          connected = true;
          clearTimeout(timer);
          if (!whole) within(answerMs, 'the permission to go on');
        });
      });
      outgoing.on('finish', () => {
        if (connected) within(answerMs, 'the answer');
        else outgoing.socket?.once('connect', () => within(answerMs, 'the answer'));
      });
      outgoing.on('response', (incoming) => {
        clearTimeout(timer);
        // The rest of the call was not wanted: nothing else can be sent on this connection.
        if (!whole) incoming.once('close', () => outgoing.destroy());
        resolve(incoming);
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        const sent = whole && connected && !NOT_CONNECTED.has(error.code ?? '');
        const cut = !connected || CUT.has(error.code ?? '');
        reject(new CallBroken(error, { sent, cut, stale: outgoing.reusedSocket }));
      });
      const sendBody = () => {
        clearTimeout(timer);
        whole = true;
        if (isStream(body)) body.pipe(outgoing);
        else outgoing.end(body);
      };
      // From the start: a body may fail before there is a connection.
      if (isStream(body))
        body.once('close', () => {
          if (isBroken(body)) outgoing.destroy(new Error('the body broke off', { cause: body.errored }));
        });
      if (!asks) return sendBody();
      outgoing.setHeader('Expect', '100-continue');
      if (body === undefined) {
        // Without a length the end of an empty body can be withheld.
        outgoing.removeHeader('Content-Length');
        outgoing.setHeader('Transfer-Encoding', 'chunked');
      }
      outgoing.once('continue', sendBody);
      outgoing.flushHeaders();
    });
  }

  async function once(call: ServiceCall): Promise<IncomingMessage> {
    const incoming = await attempt(call);
    const status = incoming.statusCode ?? 500;
    const refused = incoming.headers[REFUSED];
    if (refused !== undefined) {
      const refusal = await wholeBody(incoming, MAX_REFUSAL, answerMs).catch(() => undefined);
      const rejection = refusal ? understood(refusal, call) : refusalFor(call, true);
      throw refused === NOT_READY ? new NotReady(rejection) : rejection;
    }
    if (isNoAnswer(status, incoming)) {
      incoming.resume();
      throw refusalFor(call, true);
    }
    return incoming;
  }

  function mayRepeat(call: ServiceCall, error: unknown, broken: number): boolean {
    if (isStream(call.body) && (call.body.readableDidRead || isBroken(call.body))) return false;
    if (error instanceof NotReady) return true;
    if (!(error instanceof CallBroken) || !error.cut) return false;
    return !error.sent || (call.repeatable && broken < MAX_BROKEN);
  }

  return {
    async call(call) {
      for (let broken = 0; ; ) {
        try {
          const incoming = await once(call);
          outages.answered(call.url);
          return incoming;
        } catch (error) {
          if (error instanceof CallBroken && error.sent) broken += 1;
          const atOnce = error instanceof CallBroken && error.stale && broken === 1;
          const again = mayRepeat(call, error, broken);
          if (again && (atOnce || (call.waits && (await outages.over(call.url, call.signal))))) continue;
          if (error instanceof NotReady) throw error.rejection;
          if (!(error instanceof CallBroken)) throw error;
          throw refusalFor(call, error.sent, error.cause);
        }
      }
    },
    waiting: outages.waiting,
    close: () => agent.destroy(),
  };
}

/** A refused signature is this process's affair, and no 401 for the caller, who may have signed in. */
function understood(refusal: Buffer, call: ServiceCall): Rejection {
  let rejection: Rejection;
  try {
    rejection = readRejection(refusal.toString('utf8'));
  } catch {
    return refusalFor(call, true);
  }
  return rejection.code === 'unauthorized'
    ? unavailable(
        `the ${call.service} service refuses this process: compare their SECRET_KEY and clocks`,
        RETRY_S,
      )
    : rejection;
}

/** @throws Error when the body breaks off, is too long or is late */
export async function wholeBody(incoming: IncomingMessage, limit: number, ms = ANSWER_MS): Promise<Buffer> {
  const late = () => new Error(`the body did not come within ${ms} ms`);
  try {
    return await withDeadline(collect(incoming, limit), ms, late);
  } catch (error) {
    incoming.destroy();
    throw error;
  }
}

const isStream = (body: ServiceCall['body']): body is Readable =>
  body !== undefined && !Buffer.isBuffer(body);
const isBroken = (body: Readable): boolean => body.destroyed && !body.readableEnded;

/** Whether a proxy answered instead of the service. */
function isNoAnswer(status: number, { headers }: IncomingMessage): boolean {
  return (
    status === 502 || status === 504 || (status === 503 && headers['content-type'] !== 'application/json')
  );
}

function refusalFor({ service, repeatable }: ServiceCall, sent: boolean, cause?: unknown) {
  if (!sent || repeatable) return unavailable(`the ${service} service does not answer`, 2, cause);
  return unavailable(
    `the ${service} service broke off; whether the change was made is not known`,
    null,
    cause,
  );
}
