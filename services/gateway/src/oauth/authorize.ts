import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { grantByCode } from '@forgelog/contracts/admin/oauth-authorizations/oauth-authorization.operations.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Operations } from '@forgelog/service-kit/operations.ts';
import { metadataOf, type Principal } from '@forgelog/service-kit/principal.ts';
import { BlockedUser, sha256 } from '../authentication.ts';
import type { BasicAuthentication } from '../basic-authentication.ts';
import type { RequestRecord } from '../request-record.ts';
import type { SignIns } from '../sign-ins.ts';
import {
  answered,
  type ReturnAddress,
  returnAddressIn,
  type Wanted,
  wantedIn,
} from './authorization-request.ts';
import type { ConsentForms } from './consent-form.ts';
import { type ConsentShown, sendConsentPage, sendProblemPage } from './consent-page.ts';
import { OauthError } from './oauth-error.ts';
import { bodyParameters, type OauthParameters, queryParameters } from './oauth-parameters.ts';
import { newValue } from './token-values.ts';

export interface AuthorizePorts {
  basic: Pick<BasicAuthentication, 'account'>;
  signIns: Pick<SignIns, 'used' | 'refused'>;
  readStore: ReadStore;
  operations: Operations;
  forms: ConsentForms;
}

interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  record: RequestRecord;
}

type Problem = NonNullable<ConsentShown['problem']>;

/**
 * Answers `/oauth/authorize`: a page on which a user signs in and agrees, or denies. There is no session that would
 * outlast it, so each consent takes the password. @throws OauthError before it is known whom to tell
 */
export function createAuthorize({ basic, signIns, readStore, operations, forms }: AuthorizePorts) {
  function show(
    { request, response }: Asked,
    { client, redirectUri }: ReturnAddress,
    { scopes }: Wanted,
    parameters: OauthParameters,
    problem?: Problem,
  ): void {
    const { token, cookie } = forms.begin(request, parameters);
    sendConsentPage(response, {
      ...{ parameters, application: client.name, redirectUri, scopes },
      ...{ formToken: token, cookie, ...(problem && { problem }) },
    });
  }

  async function signIn(parameters: OauthParameters, record: RequestRecord): Promise<Principal | Problem> {
    const [username, password] = [parameters.text('username'), parameters.text('password')];
    if (username === undefined || password === undefined)
      return { status: 422, text: 'Name and password are needed.' };
    try {
      const principal = await basic.account(username, password, record);
      if (!principal) return { status: 422, text: 'The name or the password is wrong.' };
      record.principal = principal;
      await signIns.used(principal, record);
      return principal;
    } catch (error) {
      if (error instanceof BlockedUser) {
        signIns.refused('blocked_user', record, error.userId);
        return { status: 403, text: (error.details as { reason: string }).reason };
      }
      if (!(error instanceof Rejection) || error.code !== 'too_many_requests') throw error;
      const text = 'There were too many attempts. Try again later.';
      return { status: 429, text, headers: error.headers };
    }
  }

  async function grant(
    { client, redirectUri }: ReturnAddress,
    wanted: Wanted,
    principal: Principal,
    record: RequestRecord,
  ): Promise<string> {
    const operationId = randomUUID();
    const code = newValue('code', operationId);
    const { oauthApplicationId } = client;
    const request = { oauthApplicationId, ...wanted, codeSha256: sha256(code), redirectUri };
    const metadata = metadataOf(principal, record);
    await operations.call(grantByCode, request, { principal, operationId, metadata });
    return code;
  }

  async function submit(asked: Asked, parameters: OauthParameters, to: ReturnAddress): Promise<void> {
    const { request, response, record } = asked;
    if (!forms.isGenuine(request, parameters))
      return sendProblemPage(
        response,
        403,
        'The form is too old, or was not made for this browser. Begin anew from the application.',
      );
    if (parameters.text('_method') === 'delete')
      return redirect(response, to, { error: 'access_denied', error_description: 'The user denied it.' });
    const wanted = wantedIn(to.client, parameters);
    const found = await signIn(parameters, record);
    if ('status' in found) return show(asked, to, wanted, parameters, found);
    redirect(response, to, { code: await grant(to, wanted, found, record) });
  }

  return async (asked: Asked): Promise<void> => {
    const { request, response, record } = asked;
    const isForm = request.method === 'POST';
    const parameters = await (isForm ? bodyParameters(request) : queryParameters(record.search));
    const to = await returnAddressIn(readStore, parameters);
    try {
      if (isForm) await submit(asked, parameters, to);
      else show(asked, to, wantedIn(to.client, parameters), parameters);
    } catch (error) {
      if (!(error instanceof OauthError)) throw error;
      redirect(response, to, error.body);
    }
  };
}

function redirect(response: ServerResponse, to: ReturnAddress, told: Record<string, string>): void {
  response.writeHead(302, {
    Location: answered(to, told),
    'Content-Length': 0,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  });
  response.end();
}
