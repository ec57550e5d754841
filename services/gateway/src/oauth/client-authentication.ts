import type { IncomingMessage } from 'node:http';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { sha256 } from '../authentication.ts';
import { readBasic } from '../basic-authentication.ts';
import type { RequestRecord } from '../request-record.ts';
import type { SignIns } from '../sign-ins.ts';
import { type GatewayOauthClient, gatewayOauthClients } from './oauth-clients.projection.ts';
import { invalidClient, invalidRequest } from './oauth-error.ts';
import type { OauthParameters } from './oauth-parameters.ts';

export interface PresentedClient {
  client: GatewayOauthClient;
  /** Whether it showed its secret. */
  authenticated: boolean;
}

export type ClientAuthentication = (
  request: IncomingMessage,
  record: RequestRecord,
  parameters: OauthParameters,
) => Promise<PresentedClient | null>;

/**
 * The application that presents itself in the body or by HTTP Basic; null where none does. One that can keep its secret
 * has to show it. @throws OauthError 401, Rejection 429 after too many wrong secrets
 */
export function createClientAuthentication({
  readStore,
  signIns,
}: {
  readStore: ReadStore;
  signIns: Pick<SignIns, 'wrongToken'>;
}): ClientAuthentication {
  return async (request, record, parameters) => {
    const { id, secret } = presented(request, parameters);
    if (id === undefined) {
      if (secret !== undefined) throw invalidClient();
      return null;
    }
    const client = await readStore.get(gatewayOauthClients, id);
    const isRight =
      client !== undefined &&
      (secret === undefined ? !client.confidential : client.secretSha256 === sha256(secret));
    if (!isRight) {
      await signIns.wrongToken(sha256(`client ${id} ${secret}`), record);
      throw invalidClient();
    }
    return { client, authenticated: secret !== undefined };
  };
}

function presented(
  request: IncomingMessage,
  parameters: OauthParameters,
): { id: string | undefined; secret: string | undefined } {
  const id = parameters.text('client_id');
  const secret = parameters.text('client_secret');
  const basic = readBasic(request);
  if (basic.kind !== 'basic') return { id, secret };
  if (secret !== undefined || (id !== undefined && id !== basic.username))
    throw invalidRequest('The client presents itself twice');
  return { id: basic.username || undefined, secret: basic.password || undefined };
}
