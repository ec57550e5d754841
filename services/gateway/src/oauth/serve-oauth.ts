import type { IncomingMessage } from 'node:http';
import type { Method } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { allowOf, sendOptions } from '@forgelog/service-kit/allowed-methods.ts';
import type { InstanceKey } from '@forgelog/service-kit/instance-key.ts';
import type { Operations } from '@forgelog/service-kit/operations.ts';
import { sendError } from '@forgelog/service-kit/send.ts';
import type { GatewayHandler, GatewayResponse } from '../application.ts';
import type { Authentication } from '../authentication.ts';
import type { BasicAuthentication } from '../basic-authentication.ts';
import type { RequestRecord } from '../request-record.ts';
import type { SignIns } from '../sign-ins.ts';
import { createAuthorize } from './authorize.ts';
import { createClientAuthentication } from './client-authentication.ts';
import { createConsentForms } from './consent-form.ts';
import { sendProblemPage } from './consent-page.ts';
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
  instanceKey: InstanceKey;
  /** The address at which browsers reach the instance. */
  externalUrl: string;
  clock: () => Date;
}

interface Asked {
  request: IncomingMessage;
  response: GatewayResponse;
  record: RequestRecord;
}

interface Address {
  methods: readonly Method[];
  answer(asked: Asked): Promise<void>;
  /** Sends a refusal that is meant for the caller. */
  refuse(error: OauthError, asked: Asked): void;
}

const API = ['/oauth/token', '/oauth/token/info', '/oauth/revoke', '/oauth/introspect'] as const;

/** Whether programs ask here, and no browser shows a page. */
export const isOauthApi = (path: string): boolean => API.some((known) => known === path);

const NOT_KEPT = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** Serves the addresses of OAuth 2 outside the API (companions 6). */
export function serveOauth(ports: OauthPorts): GatewayHandler {
  const clientOf = createClientAuthentication(ports);
  const facts = createTokenFacts({ ...ports, clientOf });
  const forms = createConsentForms({ ...ports, secure: ports.externalUrl.startsWith('https:') });
  const addresses: Readonly<Record<(typeof API)[number] | '/oauth/authorize', Address>> = {
    '/oauth/token': posted(createTokenGrants({ ...ports, clientOf })),
    '/oauth/token/info': inJson('GET', ({ request, record }) => facts.info(request, record)),
    '/oauth/revoke': posted(facts.revoke),
    '/oauth/introspect': posted(facts.introspect),
    '/oauth/authorize': {
      methods: ['GET', 'POST'],
      answer: createAuthorize({ ...ports, forms }),
      refuse: ({ status, message }, { response }) => sendProblemPage(response, status, message),
    },
  };

  return (request, response, next) => {
    const { record } = response.locals;
    const address = Object.hasOwn(addresses, record.path)
      ? addresses[record.path as keyof typeof addresses]
      : undefined;
    if (!address) return next();
    const allow = allowOf(address.methods);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (method === 'OPTIONS') return sendOptions(response, allow);
    if (!address.methods.some((known) => known === method))
      throw new Rejection('method_not_allowed', undefined, { Allow: allow });
    const asked = { request, response, record };
    Promise.resolve(ports.barrier())
      .then(() => address.answer(asked))
      .catch((error: unknown) => {
        if (error instanceof OauthError) address.refuse(error, asked);
        else next(error);
      });
  };
}

const posted = (answer: (asked: TokenRequest) => Promise<object>): Address =>
  inJson('POST', async ({ request, record }) =>
    answer({ request, record, parameters: await bodyParameters(request) }),
  );

function inJson(method: Method, answer: (asked: Asked) => Promise<object>): Address {
  return {
    methods: [method],
    async answer(asked) {
      const body = await answer(asked);
      asked.response.writeHead(200, { 'Content-Type': 'application/json', ...NOT_KEPT });
      asked.response.end(JSON.stringify(body));
    },
    refuse({ status, body, headers }, { request, response }) {
      sendError(request, response, undefined, { status, body, headers: { ...headers, ...NOT_KEPT } });
    },
  };
}
