import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { SignInFailures } from '@forgelog/service-kit/sign-in-failures.ts';
import { createSignInLimit, type PasswordAttempt } from '@forgelog/service-kit/sign-in-limit.ts';
import type { AccessLog, RefusalReason } from './access-log/access-log.ts';
import type { RequestRecord } from './request-record.ts';
import type { TokenUses } from './token-uses.ts';

/** Every sign-in passes here: it is limited, recorded in the access log, and logged where it is refused. */
export interface SignIns {
  /** Records a right credential. @throws Rejection 429, also later, for a token that is new at a blocked address */
  used(principal: Principal, request: RequestRecord): void | Promise<void>;
  /** @param account the id of the user whose account was tried, or the name that was tried */
  refused(reason: RefusalReason, request: RequestRecord, account?: number | string): void;
  /** Records a token that does not exist. @throws Rejection 429, also later, while the address is blocked */
  wrongToken(digest: string, request: RequestRecord): void | Promise<void>;
  /** @throws Rejection 429 */
  attempt(account: string, request: RequestRecord): PasswordAttempt;
}

export interface SignInPorts {
  accessLog: AccessLog;
  directory: Pick<Directory, 'user' | 'userByName'>;
  log: Logger;
  tokenUses: TokenUses;
  failures: SignInFailures;
}

export function createSignIns({ accessLog, directory, log, tokenUses, failures }: SignInPorts): SignIns {
  const limit = createSignInLimit(failures, ({ address: client, account, seconds }) => {
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
    const recorded = (error: unknown): never => {
      if (error instanceof Rejection) refused('too_many', request, account);
      throw error;
    };
    try {
      const checked = check();
      return checked instanceof Promise ? (checked.catch(recorded) as T) : checked;
    } catch (error) {
      return recorded(error);
    }
  }

  const admit = (principal: Principal, request: RequestRecord): void | Promise<void> => {
    const { kind, id } = principal.credential;
    const { clientAddress } = request;
    if (kind === 'personal_access_token' && id !== null)
      return limited(request, principal.userId, () => limit.admit(clientAddress, String(id)));
    if (kind === 'oauth_token')
      return limited(request, principal.userId, () => limit.admit(clientAddress, `oauth token ${id}`));
    if (kind === 'deploy_token')
      return limited(request, undefined, () => limit.admit(clientAddress, `deploy token ${id}`));
  };

  function recordUse(principal: Principal, request: RequestRecord): void {
    const { kind, id } = principal.credential;
    if (kind === 'personal_access_token' && id !== null) tokenUses.used(id);
    accessLog.credentialUsed(principal, request);
  }

  return {
    refused,
    used(principal, request) {
      const admitted = admit(principal, request);
      return admitted instanceof Promise
        ? admitted.then(() => recordUse(principal, request))
        : recordUse(principal, request);
    },
    wrongToken(digest, request) {
      const counted = limited(
        request,
        undefined,
        () => limit.wrongToken(request.clientAddress, digest).counted,
      );
      const recorded = () => refused('unknown_token', request);
      return counted instanceof Promise ? counted.then(recorded) : recorded();
    },
    attempt(account, request) {
      const attempt = limited(request, account, () => limit.attempt(request.clientAddress, account));
      return { ...attempt, begin: () => limited(request, account, attempt.begin) };
    },
  };
}
