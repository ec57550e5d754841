import {
  CLEARS_AFTER,
  getOwnStatus,
  getUserStatus,
  setOwnStatus,
} from '@forgelog/contracts/admin/user-statuses/user-status.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { parseIdOrPath } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { settingNow } from '@forgelog/directory/settings.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { NO_STATUS, type UserStatus, userStatusDecider, userStatusStream } from './user-status.decider.ts';
import { type ShownStatus, userStatusJson } from './user-status.view.ts';
import { userStatuses } from './user-statuses.projection.ts';

const NOTHING: ShownStatus = { emoji: null, message: null, availability: null, endsAt: null };
const DEFAULT_EMOJI = 'speech_balloon';

export function userStatusRoutes(ports: ServicePorts): Implementation[] {
  const { clock, commands, directory, readStore } = ports;
  const view = userStatusJson.renderer(ports);

  async function answerOf(userId: number) {
    const row = await readStore.get(userStatuses, userId);
    const isOver = row?.endsAt != null && row.endsAt <= clock().toISOString();
    const saysNothing = row?.emoji == null && row?.message == null && row?.availability !== 'busy';
    return json(view.one(!row || isOver || saysNothing ? NOTHING : row));
  }

  return [
    implement(getUserStatus, async ({ params, principal }) => {
      const missing = new Rejection('not_found', { what: 'User' });
      // Where nothing is public, anonymous callers see no users.
      const restricted = await settingNow(ports, 'restricted_visibility_levels');
      if (principal === null && restricted.includes('public')) throw missing;
      const wanted = parseIdOrPath(String(params.id));
      const found = await (typeof wanted === 'number'
        ? directory.user(wanted)
        : directory.userByName(wanted));
      if (!found || found.state === 'deleted') throw missing;
      return answerOf(found.id);
    }),

    implement(getOwnStatus, ({ caller }) => answerOf(caller.userId)),

    implement(setOwnStatus, async ({ params, caller: { userId }, metadata }) => {
      const { availability = 'not_set', clear_status_after: after } = params;
      const message = params.message?.trim() || null;
      const isSaid = message !== null || params.emoji || availability === 'busy';
      const status: UserStatus = isSaid
        ? {
            ...{ emoji: params.emoji || DEFAULT_EMOJI, message, availability },
            endsAt: after ? new Date(clock().getTime() + CLEARS_AFTER[after]).toISOString() : null,
          }
        : NO_STATUS;
      const command = { type: 'SetUserStatus' as const, userId, ...status };
      await commands.handle(userStatusDecider, userStatusStream(userId), command, metadata);
      return answerOf(userId);
    }),
  ];
}
