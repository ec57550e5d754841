import { SCOPES } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { accessTokenDecider, accessTokenStream } from './access-tokens/access-token.decider.ts';
import { accessTokens } from './access-tokens/access-tokens.projection.ts';
import { newToken } from './access-tokens/new-token.ts';
import { sha256 } from './shared/sha256.ts';
import { userDecider, userStream } from './users/user.decider.ts';
import { users } from './users/users.projection.ts';

/* What an operator does with the data folder of a stopped server, when nobody can sign in. */

export const ROOT_ID = 1;
const BATCH = 500;

export interface Administrator {
  id: number;
  username: string;
  state: string;
  /** Ids of the tokens that are not revoked, also of expired ones. */
  tokenIds: number[];
}

export async function listAdministrators({ readStore }: ServicePorts): Promise<Administrator[]> {
  const found: Administrator[] = [];
  for await (const batch of inBatches(readStore, users, { where: eq('admin', true), size: BATCH }))
    for (const { id, username, state } of batch) {
      const tokenIds: number[] = [];
      const where = and(eq('userId', id), eq('revoked', false));
      for await (const tokens of inBatches(readStore, accessTokens, { where, size: BATCH }))
        tokenIds.push(...tokens.map((token) => token.id));
      found.push({ id, username, state, tokenIds });
    }
  return found;
}

/**
 * Lets `root` in again, makes them an administrator again, and gives them a token with all scopes. Their other tokens and
 * their password stay as they are. @throws Rejection 404 if `root` was never created, or is deleted
 */
export async function resetRoot(ports: ServicePorts): Promise<{ token: string; tokenId: number }> {
  const { commands } = ports;
  const userId = ROOT_ID;
  await commands.handle(
    userDecider,
    userStream(userId),
    { type: 'UpdateUser', userId, changes: { admin: true } },
    SYSTEM_METADATA,
  );
  await commands.handle(userDecider, userStream(userId), { type: 'ReinstateUser', userId }, SYSTEM_METADATA);
  const token = newToken();
  return { token, tokenId: await issueRootToken(token, 'reset-root', ports) };
}

export async function issueRootToken(
  token: string,
  name: string,
  { commands, ids }: ServicePorts,
): Promise<number> {
  const tokenId = await ids.next('accessToken');
  await commands.handle(
    accessTokenDecider,
    accessTokenStream(tokenId),
    {
      type: 'CreatePersonalAccessToken',
      ...{ tokenId, userId: ROOT_ID, name, scopes: SCOPES },
      expiresAt: null,
      tokenSha256: sha256(token),
      ...{ impersonation: false, projectId: null, groupId: null },
    },
    SYSTEM_METADATA,
    { mustBeNew: true },
  );
  return tokenId;
}

/** Revokes a token of any user, by its id or by itself. @throws Rejection 404 if there is none */
export async function revokeToken(named: string, ports: ServicePorts): Promise<number> {
  const tokenId = /^\d{1,15}$/.test(named) ? Number(named) : await idOfToken(named, ports);
  if (tokenId === undefined) throw new Rejection('not_found', { what: 'Personal Access Token' });
  const command = { type: 'RevokePersonalAccessToken', tokenId, ownerId: null, impersonation: null } as const;
  await ports.commands.handle(accessTokenDecider, accessTokenStream(tokenId), command, SYSTEM_METADATA);
  return tokenId;
}

async function idOfToken(token: string, { readStore }: ServicePorts): Promise<number | undefined> {
  // No index begins with the hash alone: an operator waits for a scan, and no request pays for an index.
  const where = eq('sha256', sha256(token));
  const [row] = await readStore.find(accessTokens, { where, limit: 1, select: ['id'] });
  return row?.id;
}
