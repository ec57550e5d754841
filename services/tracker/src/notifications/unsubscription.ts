import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import { allKeys, lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import type { TargetRef } from '../targets/target-ref.ts';
import type { NotificationPlace } from './notification-setting.decider.ts';

/** The mails of one user about an issue or merge request, or of a whole project or group. */
export interface Unsubscription {
  userId: number;
  from: TargetRef | NotificationPlace;
}

const TYPES = { i: 'Issue', m: 'MergeRequest' } as const;
const TOKEN = /^(\d{1,15})-(?:([im])(\d{1,15})-(\d{1,15})-(\d{1,15})|([pg])(\d{1,15}))-([\w-]{32})$/;

/** Tokens that mails name: each says what it ends, and is signed with the instance's key. */
export function unsubscriptionTokens(configuration: Pick<Configuration, 'SECRET_KEY' | 'DATA_DIR'>) {
  const key = lazyInstanceKey(configuration);
  const sign = (secret: Buffer, named: string) =>
    createHmac('sha256', secret).update(`unsubscribe ${named}`).digest('base64url').slice(0, 32);

  return {
    of({ userId, from }: Unsubscription): string {
      const named = `${userId}-${nameOf(from)}`;
      return `${named}-${sign(key(), named)}`;
    },

    /** undefined for one that nobody signed. */
    read(token: string): Unsubscription | undefined {
      const found = TOKEN.exec(token);
      if (!found) return undefined;
      const [, userId, type, projectId, id, iid, kind, placeId, given] = found;
      const named = token.slice(0, -33);
      const isOurs = allKeys(key).some((secret) =>
        timingSafeEqual(Buffer.from(sign(secret, named)), Buffer.from(given!)),
      );
      if (!isOurs) return undefined;
      const from =
        type === undefined
          ? placeOf(kind!, Number(placeId))
          : {
              ...{ type: TYPES[type as keyof typeof TYPES], projectId: Number(projectId) },
              ...{ id: Number(id), iid: Number(iid) },
            };
      return { userId: Number(userId), from };
    },
  };
}

const placeOf = (kind: string, id: number): NotificationPlace =>
  kind === 'p' ? { projectId: id, groupId: null } : { projectId: null, groupId: id };

export const isTarget = (from: Unsubscription['from']): from is TargetRef => 'type' in from;

function nameOf(from: Unsubscription['from']): string {
  if (isTarget(from)) return `${from.type === 'Issue' ? 'i' : 'm'}${from.projectId}-${from.id}-${from.iid}`;
  return from.projectId === null ? `g${from.groupId}` : `p${from.projectId}`;
}
