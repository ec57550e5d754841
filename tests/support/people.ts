import { createHash } from 'node:crypto';
import { SCOPES, type Scope } from '@forgelog/contracts/endpoint.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import type { Forgelog } from './forgelog.ts';

export interface Person {
  id: number;
  username: string;
  token: string;
}

/** A user with a token, by the log alone. */
export async function newPerson(
  { system: { ports } }: Forgelog,
  username: string,
  options: { scopes?: readonly Scope[]; external?: boolean; admin?: boolean } = {},
): Promise<Person> {
  const { commands, ids } = ports;
  const id = await ids.next('user');
  const data = {
    userId: id,
    namespaceId: await ids.next('namespace'),
    username,
    name: `Name of ${username}`,
    email: `${username}@example.org`,
    admin: options.admin ?? false,
    external: options.external ?? false,
    bot: false,
    passwordHash: null,
    confirmed: true,
    identities: [],
    profile: {},
  };
  await commands.append(`user-${id}`, 'no-stream', [{ type: 'UserCreated', data }], SYSTEM_METADATA);
  const token = await newToken({ system: { ports } } as Forgelog, id, options.scopes);
  return { id, username, token };
}

/** Another token of a user. */
export async function newToken(
  { system: { ports } }: Forgelog,
  userId: number,
  scopes: readonly Scope[] = SCOPES,
): Promise<string> {
  const tokenId = await ports.ids.next('accessToken');
  const token = `token-of-the-tests-${tokenId}-${userId}`;
  const data = {
    tokenId,
    userId,
    name: 'test',
    scopes,
    expiresAt: null,
    tokenSha256: createHash('sha256').update(token).digest('hex'),
    impersonation: false,
  };
  const issued = { type: 'PersonalAccessTokenCreated', data };
  await ports.commands.append(`accessToken-${tokenId}`, 'no-stream', [issued], SYSTEM_METADATA);
  return token;
}

/** Makes somebody a direct member of a project. */
export async function addMember(
  { system: { ports } }: Forgelog,
  projectId: number,
  userId: number,
  accessLevel: number,
): Promise<void> {
  const stream = `projectMember-${projectId}`;
  const before = await ports.commands.load(
    { initialState: null, decide: () => [], evolve: () => null },
    stream,
  );
  const data = { projectId, userId, accessLevel, expiresAt: null };
  await ports.commands.append(
    stream,
    before.revision ?? 'no-stream',
    [{ type: 'ProjectMemberAdded', data }],
    SYSTEM_METADATA,
  );
}
