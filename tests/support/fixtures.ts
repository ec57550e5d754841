import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { createUser } from './accounts.ts';
import type { CallOptions, Forgelog } from './forgelog.ts';

/** Someone with a token of his own, to be given as the options of a call. */
export interface Person extends CallOptions {
  id: number;
  username: string;
  token: string;
}
export interface Placed {
  id: number;
  fullPath: string;
}

/** People, groups and projects for tests of what they do with each other. */
export function createFixtures(forgelog: Forgelog) {
  const { commands, ids } = forgelog.system.ports;

  return {
    /** @param more.publicEmail whether he shows his address */
    async person(username: string, more: { name?: string; publicEmail?: boolean } = {}): Promise<Person> {
      const name = more.name ?? username;
      const { id, email, token } = await createUser(forgelog, { username, name });
      if (more.publicEmail) await succeeds(forgelog.put(`/users/${id}`, { public_email: email }));
      return { id, username, token };
    },

    /** Straight from its event: no call of the API makes one. */
    async bot(username: string): Promise<Pick<Person, 'id'>> {
      const userId = await ids.next('user');
      const data = {
        userId,
        namespaceId: await ids.next('namespace'),
        username,
        name: username,
        email: `${username}@example.org`,
        admin: false,
        external: false,
        bot: true,
        passwordHash: null,
        confirmed: true,
        identities: [],
        profile: {},
      };
      await commands.append(`user-${userId}`, 'no-stream', [{ type: 'UserCreated', data }], SYSTEM_METADATA);
      return { id: userId };
    },

    /** Straight from its event, so that nobody else is in it. @param creator becomes its first owner */
    async group(
      path: string,
      creator: Person | null,
      more: { parent?: Placed; visibility?: string } = {},
    ): Promise<Placed> {
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
        ownerId: creator?.id ?? null,
        settings: {},
      };
      await commands.append(`group-${id}`, 'no-stream', [{ type: 'GroupCreated', data }], SYSTEM_METADATA);
      return { id, fullPath };
    },

    /** In a group, made by root, or in the personal namespace of a person, made by him. */
    async project(path: string, where: Placed | Person): Promise<Placed> {
      const { body } = await succeeds(
        'token' in where
          ? forgelog.post('/projects', { path }, where)
          : forgelog.post('/projects', { path, namespace_id: where.id }),
      );
      return { id: body.id, fullPath: body.path_with_namespace };
    },
  };
}

async function succeeds(call: ReturnType<Forgelog['call']>) {
  const reply = await call;
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
  return reply;
}

export type Fixtures = ReturnType<typeof createFixtures>;
