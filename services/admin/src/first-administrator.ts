import { SCOPES } from '@forgelog/contracts/endpoint.ts';
import { createNames } from '@forgelog/directory/names.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { hash } from '@node-rs/argon2';
import { accessTokenDecider, accessTokenStream } from './access-tokens/access-token.decider.ts';
import { accessTokens } from './access-tokens/access-tokens.projection.ts';
import { newToken } from './access-tokens/new-token.ts';
import { sha256 } from './sha256.ts';
import { type UserCommand, userDecider, userStream } from './users/user.decider.ts';
import { userNames } from './users/user-names.ts';

const ROOT_ID = 1;
const ROOT = { username: 'root', email: 'admin@example.com' };

export interface FirstStart {
  /** The first administrator's token, where this start made one up: it is shown once and kept nowhere. */
  madeToken: string | null;
}

/**
 * Makes sure that there is an administrator `root` with id 1 (companions.md 1.7), and that ROOT_TOKEN, where it is
 * set, is a token of his. Safe to run at every start, and again after a start that broke off. A token that he once
 * had stays what it is: a revoked ROOT_TOKEN is not revived. ROOT_PASSWORD counts at the first start alone: a
 * changed one is not applied, since a password that was changed since must not come back with a restart.
 */
export async function ensureFirstAdministrator(ports: ServicePorts): Promise<FirstStart> {
  const { directory, readStore, configuration } = ports;
  if ((await directory.user(ROOT_ID)) === undefined) await createRoot(ports);
  if ((await directory.user(ROOT_ID))!.state === 'deleted') return { madeToken: null };
  const given = configuration.ROOT_TOKEN;
  const known = await readStore.count(accessTokens, {
    where: and(eq('userId', ROOT_ID), ...(given === undefined ? [] : [eq('sha256', sha256(given))])),
    atMost: 1,
  });
  if (known > 0) return { madeToken: null };
  const token = given ?? newToken();
  await issue(token, given === undefined ? 'first start' : 'ROOT_TOKEN', ports);
  return { madeToken: given === undefined ? token : null };
}

async function createRoot(ports: ServicePorts): Promise<void> {
  const { commands, ids, configuration } = ports;
  // Reserves id 1; a start that broke off may have done so before, then the number given now is left out.
  await ids.next('user');
  const password = configuration.ROOT_PASSWORD;
  const command: UserCommand = {
    type: 'CreateUser',
    userId: ROOT_ID,
    namespaceId: await ids.next('namespace'),
    ...ROOT,
    name: 'Administrator',
    admin: true,
    external: false,
    bot: false,
    passwordHash: password ? await hash(password) : null,
    confirmed: true,
    identities: [],
    profile: {},
  };
  const holder = { kind: 'user', id: ROOT_ID } as const;
  await createNames(ports).claimed(holder, { take: userNames(ROOT) }, SYSTEM_METADATA, (at) =>
    commands.handle(userDecider, userStream(ROOT_ID), command, SYSTEM_METADATA, { at }),
  );
}

async function issue(token: string, name: string, { commands, ids }: ServicePorts): Promise<void> {
  const tokenId = await ids.next('accessToken');
  await commands.handle(
    accessTokenDecider,
    accessTokenStream(tokenId),
    {
      type: 'CreatePersonalAccessToken',
      ...{ tokenId, userId: ROOT_ID, name, scopes: SCOPES },
      expiresAt: null,
      tokenSha256: sha256(token),
      impersonation: false,
    },
    SYSTEM_METADATA,
    { mustBeNew: true },
  );
}
