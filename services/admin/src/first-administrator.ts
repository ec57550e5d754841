import { randomBytes } from 'node:crypto';
import type { AccessTokenEvent } from '@forgelog/contracts/admin/access-token.events.ts';
import type { UserEvent } from '@forgelog/contracts/admin/user.events.ts';
import { SCOPES } from '@forgelog/contracts/endpoint.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { hash } from '@node-rs/argon2';
import { sha256 } from './sha256.ts';

const ROOT_ID = 1;

export interface FirstStart {
  /** The first administrator's token, where this start made one up: it is shown once and kept nowhere. */
  madeToken: string | null;
}

/**
 * Makes sure that there is an administrator `root` with id 1 (companions.md 1.7), and that ROOT_TOKEN, where it is
 * set, is a token of his. Safe to run at every start, and again after a start that broke off.
 */
export async function ensureFirstAdministrator({
  commands,
  ids,
  directory,
  configuration,
}: ServicePorts): Promise<FirstStart> {
  const isFirst = (await directory.user(ROOT_ID)) === undefined;
  if (isFirst) {
    const userId = await ids.next('user');
    if (userId !== ROOT_ID)
      throw new Error(`the first user must have id ${ROOT_ID}, not ${userId}: is this log whole?`);
    const created: UserEvent = {
      type: 'UserCreated',
      data: {
        userId,
        namespaceId: await ids.next('namespace'),
        username: 'root',
        name: 'Administrator',
        email: 'admin@example.com',
        admin: true,
        external: false,
        bot: false,
        passwordHash: configuration.ROOT_PASSWORD ? await hash(configuration.ROOT_PASSWORD) : null,
        confirmed: true,
        identities: [],
        profile: {},
      },
    };
    await commands.append(`user-${userId}`, 'no-stream', [created], SYSTEM_METADATA);
  }
  const given = configuration.ROOT_TOKEN;
  if (!isFirst && given === undefined) return { madeToken: null };
  const token = given ?? `flpat-${randomBytes(24).toString('base64url')}`;
  const tokenId = await ids.next('accessToken');
  const issued: AccessTokenEvent = {
    type: 'PersonalAccessTokenCreated',
    data: {
      tokenId,
      userId: ROOT_ID,
      name: given === undefined ? 'first start' : 'ROOT_TOKEN',
      scopes: [...SCOPES],
      expiresAt: null,
      tokenSha256: sha256(token),
      impersonation: false,
    },
  };
  await commands.append(`accessToken-${tokenId}`, 'no-stream', [issued], SYSTEM_METADATA);
  return { madeToken: given === undefined ? token : null };
}
