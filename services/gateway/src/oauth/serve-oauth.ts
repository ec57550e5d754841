import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Method } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { allowOf, sendOptions } from '@forgelog/service-kit/allowed-methods.ts';
import type { Operations } from '@forgelog/service-kit/operations.ts';
import { sendError } from '@forgelog/service-kit/send.ts';
import type { GatewayHandler } from '../application.ts';
import type { Authentication } from '../authentication.ts';
import type { BasicAuthentication } from '../basic-authentication.ts';
import type { RequestRecord } from '../request-record.ts';
import type { SignIns } from '../sign-ins.ts';
import { createClientAuthentication } from './client-authentication.ts';
import { OauthError } from './oauth-error.ts';
import { bodyParameters } from './oauth-parameters.ts';
import { createTokenFacts } from './token-facts.ts';
import { createTokenGrants, type TokenRequest } from './token-grants.ts';

export interface OauthPorts {
  authentication: Pick<Authentication, 'oauthToken'>;
  basic: Pick<BasicAuthentication, 'account'>;
  barrier: () => unknown;
  readStore: ReadStore;
  signIns: Pick<SignIns, 'used' | 'refused' | 'wrongToken'>;
  operations: Operations;
  clock: () => Date;
}

type Answer = (request: IncomingMessage, record: RequestRecord) => Promise<object>;

const API = ['/oauth/token', '/oauth/token/info', '/oauth/revoke', '/oauth/introspect'] as const;

/** Whether programs ask here, and no browser shows a page. */
export const isOauthApi = (path: string): boolean => API.some((known) => known === path);

const NOT_KEPT = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** Serves the addresses of OAuth 2 outside the API (companions 6). */
export function serveOauth(ports: OauthPorts): GatewayHandler {
  const clientOf = createClientAuthentication(ports);
  const grant = createTokenGrants({ ...ports, clientOf });
  const facts = createTokenFacts({ ...ports, clientOf });
  const withBody =
    (answer: (asked: TokenRequest) => Promise<object>): Answer =>
    async (request, record) =>
      answer({ request, record, parameters: await bodyParameters(request) });
  const answers: Readonly<Record<(typeof API)[number], [Method, Answer]>> = {
    '/oauth/token': ['POST', withBody(grant)],
    '/oauth/token/info': ['GET', facts.info],
    '/oauth/revoke': ['POST', withBody(facts.revoke)],
    '/oauth/introspect': ['POST', withBody(facts.introspect)],
  };

  return (request, response, next) => {
    const { record } = response.locals;
    if (!isOauthApi(record.path)) return next();
    const [method, answer] = answers[record.path as (typeof API)[number]];
    const allow = allowOf([method]);
    if (request.method === 'OPTIONS') return sendOptions(response, allow);
    const isMeant = request.method === method || (method === 'GET' && request.method === 'HEAD');
    if (!isMeant) throw new Rejection('method_not_allowed', undefined, { Allow: allow });
    Promise.resolve(ports.barrier())
      .then(() => answer(request, record))
      .then((body) => send(response, body))
      .catch((error: unknown) => {
        if (!(error instanceof OauthError)) return next(error);
        const headers = { ...error.headers, ...NOT_KEPT };
        sendError(request, response, undefined, { status: error.status, body: error.body, headers });
      });
  };
}

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'Content-Type': 'application/json', ...NOT_KEPT });
  response.end(JSON.stringify(body));
}
