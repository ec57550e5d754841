import { randomBytes } from 'node:crypto';
import { sha256 } from '@forgelog/admin/sha256.ts';
import { SCOPES } from '@forgelog/contracts/endpoint.ts';
import { type DomainEvent, type EventMetadata, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import type { CallOptions, Forgelog } from './forgelog.ts';

/** Someone with a token of his own, to be given as the options of a call. */
export interface Person extends CallOptions {
  id: number;
  namespaceId: number;
  username: string;
  token: string;
}

/** Appends what an API call would, for tests of something else. */
export function createFixtures({ system }: Pick<Forgelog, 'system'>) {
  const { commands, ids } = system.ports;
  const append = (stream: string, event: DomainEvent, metadata: EventMetadata = SYSTEM_METADATA) =>
    commands.append(stream, 'no-stream', [event], metadata);

  return {
    async person(
      username: string,
      more: { name?: string; admin?: boolean; bot?: boolean; publicEmail?: string } = {},
    ): Promise<Person> {
      const userId = await ids.next('user');
      const namespaceId = await ids.next('namespace');
      const data = {
        userId,
        namespaceId,
        username,
        name: more.name ?? username,
        email: `${username}@example.org`,
        admin: more.admin ?? false,
        external: false,
        bot: more.bot ?? false,
        passwordHash: null,
        confirmed: true,
        identities: [],
        profile: more.publicEmail ? { public_email: more.publicEmail } : {},
      };
      await append(`user-${userId}`, { type: 'UserCreated', data });
      const token = `test-${randomBytes(16).toString('hex')}`;
      const tokenId = await ids.next('accessToken');
      await append(`accessToken-${tokenId}`, {
        type: 'PersonalAccessTokenCreated',
        data: {
          tokenId,
          userId,
          name: 'test',
          scopes: [...SCOPES],
          expiresAt: null,
          tokenSha256: sha256(token),
          impersonation: false,
        },
      });
      return { id: userId, namespaceId, username, token };
    },

    block: ({ id }: Person) =>
      commands.append(`user-${id}`, 0, [{ type: 'UserBlocked', data: { userId: id } }], SYSTEM_METADATA),

    /** @param creator becomes its first owner */
    async group(path: string, creator: Person | null, more: { parent?: Placed; visibility?: string } = {}) {
      const id = await ids.next('namespace');
      const fullPath = more.parent ? `${more.parent.fullPath}/${path}` : path;
      const data = {
        groupId: id,
        parentId: more.parent?.id ?? null,
        name: path,
        path,
        fullPath,
        description: '',
        visibility: more.visibility ?? 'private',
        creatorId: creator?.id ?? null,
        settings: {},
      };
      await append(`group-${id}`, { type: 'GroupCreated', data });
      return { id, fullPath };
    },

    /** In a group, or in the personal namespace of a person. */
    async project(path: string, where: Placed | Person, more: { visibility?: string } = {}) {
      const id = await ids.next('project');
      const isPersonal = 'username' in where;
      const namespace = isPersonal ? { id: where.namespaceId, fullPath: where.username } : where;
      const fullPath = `${namespace.fullPath}/${path}`;
      const data = {
        projectId: id,
        namespaceId: namespace.id,
        ownerId: isPersonal ? where.id : null,
        creatorId: isPersonal ? where.id : 1,
        name: path,
        path,
        fullPath,
        description: null,
        visibility: more.visibility ?? 'private',
        defaultBranch: null,
        settings: {},
      };
      await append(`project-${id}`, { type: 'ProjectCreated', data });
      return { id, fullPath };
    },
  };
}

export interface Placed {
  id: number;
  fullPath: string;
}
export type Fixtures = ReturnType<typeof createFixtures>;
