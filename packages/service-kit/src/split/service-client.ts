import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request as send } from 'node:http';
import type { Readable } from 'node:stream';
import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import type { Rejection } from '@forgelog/contracts/errors.ts';
import { withDeadline } from '@forgelog/eventing/deadline.ts';
import { collect } from '../request-body.ts';
import { unavailable } from '../unavailable.ts';
import { EXCHANGE_HEADER, type ExchangeClaims, type ExchangeTokens } from './exchange-token.ts';
import { REFUSED } from './service-app.ts';
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
}

export interface ServiceClient {
  /**
   * Resolves with the head of the answer; the caller reads its body.
   * @throws Rejection of the service, or `unavailable`: with Retry-After where nothing can have happened
   */
  call(call: ServiceCall): Promise<IncomingMessage>;
  close(): void;
}

const CONNECT_MS = 2_000;
/** Each runner that waits for a job holds one. */
const MAX_SOCKETS = 8_192;
/** From the last byte of the request to the head of the answer: longer than any timeout within a service. */
const ANSWER_MS = 120_000;
const MAX_REFUSAL = 65_536;
const RETRY_S = 5;
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

class CallBroken extends Error {
  /** Whether the service may have seen a part of the call. */
  readonly sent: boolean;
  /** Whether a reused connection broke, as it does when the other side has just closed it. */
  readonly stale: boolean;

  constructor(cause: unknown, { sent, stale }: { sent: boolean; stale: boolean }) {
    super('a call to a service broke off', { cause });
    this.sent = sent;
    this.stale = stale;
  }
}

export function createServiceClient(options: { tokens: ExchangeTokens; answerMs?: number }): ServiceClient {
  const { tokens, answerMs = ANSWER_MS } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, scheduling: 'lifo' });

  async function attempt(call: ServiceCall): Promise<IncomingMessage> {
    const { body } = call;
    // Listen from the start: a body may fail before there is a connection.
    if (isStream(body)) body.on('error', () => {});
    const token = tokens.sign(call.claims, call.service);
    if (isStream(body) && isBroken(body)) throw new CallBroken(body.errored, { sent: false, stale: false });
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
      let connected = false;
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
        });
      });
      outgoing.on('finish', () => {
        if (connected) within(answerMs, 'the answer');
        else outgoing.socket?.once('connect', () => within(answerMs, 'the answer'));
      });
      outgoing.on('response', (incoming) => {
        clearTimeout(timer);
        resolve(incoming);
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        const sent = connected && !NOT_CONNECTED.has(error.code ?? '');
        reject(new CallBroken(error, { sent, stale: outgoing.reusedSocket && error.code === 'ECONNRESET' }));
      });
      if (!isStream(body)) outgoing.end(body);
      else {
        body.once('close', () => {
          if (isBroken(body)) outgoing.destroy(new Error('the body broke off', { cause: body.errored }));
        });
        body.pipe(outgoing);
      }
    });
  }

  async function settle(call: ServiceCall): Promise<IncomingMessage> {
    try {
      return await attempt(call);
    } catch (error) {
      const again = error instanceof CallBroken && error.stale && call.repeatable && call.body === undefined;
      if (again) return attempt(call);
      throw error;
    }
  }

  return {
    async call(call) {
      let incoming: IncomingMessage;
      try {
        incoming = await settle(call);
      } catch (error) {
        if (!(error instanceof CallBroken)) throw error;
        throw refusalFor(call, error.sent, error.cause);
      }
      const status = incoming.statusCode ?? 500;
      if (incoming.headers[REFUSED] !== undefined) {
        const refusal = await wholeBody(incoming, MAX_REFUSAL, answerMs).catch(() => undefined);
        throw refusal ? understood(refusal, call) : refusalFor(call, true);
      }
      if (isNoAnswer(status, incoming)) {
        incoming.resume();
        throw refusalFor(call, true);
      }
      return incoming;
    },
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
