import { findAvatar, getGroupAvatar, getUserAvatar } from '@forgelog/contracts/admin/avatars/avatar.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import { avatarAnswer } from '@forgelog/service-kit/avatar.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { UserRecord } from '../users/user-record.ts';
import { users } from '../users/users.projection.ts';
import { avatarJson } from './avatar.view.ts';
import { groupAvatar, userAvatar } from './current-avatars.query.ts';

export function avatarRoutes(ports: ServicePorts): Implementation[] {
  const { objects, readStore } = ports;
  const view = avatarJson.renderer(ports);

  return [
    implement(findAvatar, async ({ params }) => {
      const where = and(eq('publicEmailLower', params.email.toLowerCase()), eq('state', 'active'));
      const [user] = await readStore.find(users, { where, limit: 1 });
      return json(view.one({ avatarUrl: user ? (user.record as UserRecord).avatarUrl : null }));
    }),

    implement(getUserAvatar, async ({ params, headers }) =>
      avatarAnswer(objects, headers, await userAvatar(readStore, params.id)),
    ),

    implement(getGroupAvatar, async ({ group, headers }) =>
      avatarAnswer(objects, headers, await groupAvatar(readStore, group.group.id)),
    ),
  ];
}
