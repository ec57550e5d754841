import { SCOPES } from '@forgelog/contracts/endpoint.ts';
import { createNames } from '@forgelog/directory/names.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { hash } from '@node-rs/argon2';
import { accessTokenDecider, accessTokenStream } from './access-tokens/access-token.decider.ts';
import { accessTokens } from './access-tokens/access-tokens.projection.ts';
import { newToken } from './access-tokens/new-token.ts';
import { sha256 } from './shared/sha256.ts';
import { type UserCommand, userDecider, userStream } from './users/user.decider.ts';
import { userNames } from './users/user-names.ts';

const ROOT_ID = 1;
const ROOT = { username: 'root', email: 'admin@example.com' };

export interface FirstStart {
  /** The generated token, if any; it is shown once and not stored. */
  madeToken: string | null;
}

/**
 * Creates the administrator `root` with id 1 (companions.md 1.7) and their token ROOT_TOKEN, if it is set. Idempotent,
 * even after an aborted start. A revoked ROOT_TOKEN stays revoked. ROOT_PASSWORD counts only at the first start: a
 * restart must not restore an old password.
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
  // Reserves id 1. An aborted start may have done so before; then this number is skipped.
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
