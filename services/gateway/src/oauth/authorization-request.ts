import type { Scope } from '@forgelog/contracts/endpoint.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { type GatewayOauthClient, gatewayOauthClients } from './oauth-clients.projection.ts';
import { invalidRequest, OauthError } from './oauth-error.ts';
import { type OauthParameters, scopesIn, scopesWithin } from './oauth-parameters.ts';

/** Where an answer may be sent: nothing else of the request was looked at. */
export interface ReturnAddress {
  client: GatewayOauthClient;
  redirectUri: string;
  state: string | undefined;
}

export interface Wanted {
  scopes: Scope[];
  challenge: { value: string; method: 'S256' | 'plain' } | null;
}

const MAX_STATE = 4096;

/** @throws OauthError, which must not be sent to the address in the request: it may be anybody's */
export async function returnAddressIn(
  readStore: ReadStore,
  parameters: OauthParameters,
): Promise<ReturnAddress> {
  const client = await readStore.get(gatewayOauthClients, parameters.required('client_id'));
  if (!client) throw new OauthError(400, 'invalid_client', 'There is no such application.');
  const redirectUri = parameters.required('redirect_uri');
  if (!client.redirectUris.includes(redirectUri))
    throw invalidRequest('The redirect_uri is none of those that the application is registered with.');
  const state = parameters.text('state');
  if (state !== undefined && state.length > MAX_STATE)
    throw invalidRequest(`The state is longer than ${MAX_STATE} characters.`);
  return { client, redirectUri, state };
}

/** @throws OauthError */
export function wantedIn(client: GatewayOauthClient, parameters: OauthParameters): Wanted {
  if (parameters.required('response_type') !== 'code')
    throw new OauthError(400, 'unsupported_response_type', 'The response_type is not code.');
  const scopes = scopesWithin(client.scopes as Scope[], scopesIn(parameters.text('scope')));
  const challenge = challengeIn(parameters);
  if (!challenge && !client.confidential)
    throw invalidRequest('An application that keeps no secret needs a code_challenge.');
  return { scopes, challenge };
}

const FORMS = { S256: /^[\w-]{43}$/, plain: /^[\w.~-]{43,128}$/ };

/** RFC 7636, 4.3: without a method it is `plain`. */
function challengeIn(parameters: OauthParameters): Wanted['challenge'] {
  const value = parameters.text('code_challenge');
  const method = parameters.text('code_challenge_method') ?? 'plain';
  if (value === undefined) return null;
  if (method !== 'S256' && method !== 'plain')
    throw invalidRequest('The code_challenge_method is none of S256 and plain.');
  if (!FORMS[method].test(value)) throw invalidRequest('The code_challenge is not of its form.');
  return { value, method };
}

/** The address with what the program is told. It has no fragment, and keeps its own query as it is. */
export function answered({ redirectUri, state }: ReturnAddress, told: Record<string, string>): string {
  const query = new URLSearchParams({ ...told, ...(state !== undefined && { state }) });
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`;
}
