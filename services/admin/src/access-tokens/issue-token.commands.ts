import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { sha256 } from '../shared/sha256.ts';
import { type AccessTokenCommand, accessTokenDecider, accessTokenStream } from './access-token.decider.ts';
import { type AccessTokenRow, accessTokens } from './access-tokens.projection.ts';
import { newToken } from './new-token.ts';

type CreateToken = Extract<AccessTokenCommand, { type: 'CreatePersonalAccessToken' }>;
export type WantedToken = Omit<CreateToken, 'type' | 'tokenId' | 'tokenSha256'>;

/** Call it before anything is written for the token. @throws 400 naming the field */
export function checkToken(wanted: WantedToken): void {
  const command = commandFor(wanted, { tokenId: 0, tokenSha256: '' });
  accessTokenDecider.decide(command, accessTokenDecider.initialState);
}

export interface IssuedToken {
  row: AccessTokenRow;
  /** The value, which is nowhere else. */
  token: string;
  /** For what follows from the token. */
  caused: EventMetadata;
}

/** @throws 400 naming the field */
export async function issueToken(
  { commands, ids, readStore }: ServicePorts,
  wanted: WantedToken,
  metadata: EventMetadata,
): Promise<IssuedToken> {
  checkToken(wanted);
  const token = newToken();
  const tokenId = await ids.next('accessToken');
  const command = commandFor(wanted, { tokenId, tokenSha256: sha256(token) });
  const stream = accessTokenStream(tokenId);
  const { events } = await commands.handle(accessTokenDecider, stream, command, metadata, {
    mustBeNew: true,
  });
  const caused = { ...metadata, causationId: events[0]!.id };
  return { row: (await readStore.get(accessTokens, tokenId))!, token, caused };
}

const commandFor = (
  wanted: WantedToken,
  made: Pick<CreateToken, 'tokenId' | 'tokenSha256'>,
): CreateToken => ({ type: 'CreatePersonalAccessToken', ...wanted, ...made });
