import { hash } from 'node:crypto';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { Origin } from '@forgelog/service-kit/principal.ts';
import { createOwnFailures } from '@forgelog/service-kit/sign-in-failures.ts';
import { createSignInLimit } from '@forgelog/service-kit/sign-in-limit.ts';

type From = Pick<Origin, 'requestId' | 'clientAddress'>;

/** Slows down the guessing of tokens that come in bodies, which the gateway does not read, as it does that of others. */
export interface TokenGuesses {
  /** Counts a token that opens nothing. @throws Rejection 429 while the address is blocked */
  wrong(token: string, from: From): void;
  /** Admits who has a right one (`runner 5`). @throws Rejection 429 while the address is blocked, and they are new there */
  right(bearer: string, from: From): void;
}

export function createTokenGuesses(log: Pick<Logger, 'info' | 'warn'>): TokenGuesses {
  const limit = createSignInLimit(
    createOwnFailures(() => performance.now()),
    ({ address: client, seconds }) => log.warn({ user: null, client, seconds }, 'sign-ins blocked'),
  );
  const refused = (reason: string, { requestId, clientAddress: client }: From) =>
    log.info({ requestId, reason, user: null, client }, 'sign-in refused');

  function limited<T>(from: From, check: () => T): T {
    try {
      return check();
    } catch (error) {
      if (error instanceof Rejection) refused('too_many', from);
      throw error;
    }
  }

  return {
    wrong(token, from) {
      const digest = hash('sha256', token, 'hex');
      const { isNew } = limited(from, () => limit.wrongToken(from.clientAddress, digest));
      // A removed runner asks for years: fail2ban need not read of each time.
      if (isNew) refused('unknown_token', from);
    },
    right(bearer, from) {
      limited(from, () => limit.admit(from.clientAddress, bearer));
    },
  };
}
