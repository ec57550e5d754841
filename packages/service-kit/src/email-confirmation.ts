import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Configuration } from './configuration.ts';
import { allKeys, lazyInstanceKey } from './instance-key.ts';

/** A further address of a user. An id has one address for ever. */
export interface NamedEmail {
  userId: number;
  userEmailId: number;
}

const TOKEN = /^(\d{1,15})-(\d{1,15})-([\w-]{32})$/;

/** Tokens in mails that ask whether an address is theirs: each names it, and is signed with the instance's key. */
export function emailConfirmations(configuration: Pick<Configuration, 'SECRET_KEY' | 'DATA_DIR'>) {
  const key = lazyInstanceKey(configuration);
  const sign = (secret: Buffer, named: string) =>
    createHmac('sha256', secret).update(`confirm email ${named}`).digest('base64url').slice(0, 32);

  return {
    of({ userId, userEmailId }: NamedEmail): string {
      const named = `${userId}-${userEmailId}`;
      return `${named}-${sign(key(), named)}`;
    },

    /** undefined for one that nobody signed. */
    read(token: string): NamedEmail | undefined {
      const [, userId, userEmailId, given] = TOKEN.exec(token) ?? [];
      if (given === undefined) return undefined;
      const named = `${userId}-${userEmailId}`;
      const isOurs = allKeys(key).some((secret) =>
        timingSafeEqual(Buffer.from(sign(secret, named)), Buffer.from(given)),
      );
      return isOurs ? { userId: Number(userId), userEmailId: Number(userEmailId) } : undefined;
    },
  };
}
