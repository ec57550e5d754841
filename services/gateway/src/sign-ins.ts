import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { createSignInLimit, type PasswordAttempt } from '@forgelog/service-kit/sign-in-limit.ts';
import type { AccessLog, RefusalReason } from './access-log/access-log.ts';
import type { RequestRecord } from './request-record.ts';
import type { TokenUses } from './token-uses.ts';

/** Every sign-in passes here: it is limited, recorded in the access log, and logged where it is refused. */
export interface SignIns {
  /** Records a right credential. @throws Rejection 429 for a token that is new at a blocked address */
  used(principal: Principal, request: RequestRecord): void;
  /** @param account the id of the user whose account was tried, or the name that was tried */
  refused(reason: RefusalReason, request: RequestRecord, account?: number | string): void;
  /** Records a token that does not exist. @throws Rejection 429 while the address is blocked */
  wrongToken(digest: string, request: RequestRecord): void;
  attempt(account: string, request: RequestRecord): PasswordAttempt;
}

export interface SignInPorts {
  accessLog: AccessLog;
  directory: Pick<Directory, 'user' | 'userByName'>;
  log: Logger;
  tokenUses: TokenUses;
  /** A monotonic clock in milliseconds. */
  now: () => number;
}

export function createSignIns({ accessLog, directory, log, tokenUses, now }: SignInPorts): SignIns {
  const limit = createSignInLimit(now, ({ address: client, account, seconds }) => {
    void usernameOf(account).then((user) => log.warn({ user, client, seconds }, 'sign-ins blocked'));
  });

  /** null for a name without an account: people type passwords there. */
  async function usernameOf(account: number | string | null | undefined): Promise<string | null> {
    if (account === null || account === undefined) return null;
    const found = typeof account === 'number' ? directory.user(account) : directory.userByName(account);
    const user = await Promise.resolve(found).catch(() => undefined);
    return user?.username ?? null;
  }

  function refused(reason: RefusalReason, request: RequestRecord, account?: number | string): void {
    accessLog.credentialRefused(reason, request, account);
    const { requestId, clientAddress: client } = request;
    void usernameOf(account).then((user) => log.info({ requestId, reason, user, client }, 'sign-in refused'));
  }

  function limited<T>(request: RequestRecord, account: number | string | undefined, check: () => T): T {
    try {
      return check();
    } catch (error) {
      if (error instanceof Rejection) refused('too_many', request, account);
      throw error;
    }
  }

  return {
    refused,
    used(principal, request) {
      const { kind, id } = principal.credential;
      if (kind === 'personal_access_token' && id !== null) {
        limited(request, principal.userId, () => limit.admit(request.clientAddress, String(id)));
        tokenUses.used(id);
      }
      if (kind === 'deploy_token')
        limited(request, undefined, () => limit.admit(request.clientAddress, `deploy token ${id}`));
      accessLog.credentialUsed(principal, request);
    },
    wrongToken(digest, request) {
      limited(request, undefined, () => limit.wrongToken(request.clientAddress, digest));
      refused('unknown_token', request);
    },
    attempt: (account, request) =>
      limited(request, account, () => limit.attempt(request.clientAddress, account)),
  };
}
