import type { IncomingMessage } from 'node:http';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { principalOf } from '@forgelog/directory/acting-user.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import { createLru } from '@forgelog/eventing/lru.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { PasswordAttempt } from '@forgelog/service-kit/sign-in-limit.ts';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { type Authentication, refuseBlocked, sha256 } from './authentication.ts';
import { gatewayPasswords } from './credentials.projection.ts';
import type { RequestRecord } from './request-record.ts';
import type { SignIns } from './sign-ins.ts';

export type BasicCredentials =
  | { kind: 'none' }
  | { kind: 'unreadable' }
  | { kind: 'basic'; username: string; password: string };

export interface BasicAuthentication {
  /**
   * Accepts any user name with a token as the password, a deploy token with its own, or an account's own password. Returns undefined if they are
   * wrong, and records that. The name `gitlab-ci-token` also takes the token of a running job, which reads repositories;
   * release tools send that name with whatever token they have.
   * @throws Rejection 403 for a blocked account, 429 after too many wrong passwords, 503 while too many are being checked
   */
  principal(username: string, password: string, request: RequestRecord): Promise<Principal | undefined>;
  /** Accepts an account's own password alone; otherwise like `principal`. */
  account(username: string, password: string, request: RequestRecord): Promise<Principal | undefined>;
}

/** Milliseconds for which a verified password is cached: git authenticates two or three times a command. */
const CACHE_TTL_MS = 60_000;
const CACHE_ENTRIES = 10_000;
/** The name that a job signs in with. */
export const JOB_LOGIN = 'gitlab-ci-token';
/** argon2 is slow and large by design, so bound the verifications that run and wait. */
const MAX_CONCURRENT = 2;
const MAX_WAITING = 100;
/** Characters. */
const MAX_PASSWORD = 1024;

export function readBasic(request: IncomingMessage): BasicCredentials {
  const { authorization } = request.headers;
  if (authorization === undefined) return { kind: 'none' };
  const encoded = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization)?.[1];
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return { kind: 'unreadable' };
  return { kind: 'basic', username: text.slice(0, colon), password: text.slice(colon + 1) };
}

export function createBasicAuthentication(ports: {
  authentication: Authentication;
  directory: Directory;
  readStore: ReadStore;
  signIns: Pick<SignIns, 'attempt' | 'refused'>;
  /** Monotonic clock in milliseconds. */
  now: () => number;
}): BasicAuthentication {
  const { authentication, directory, readStore, signIns, now } = ports;
  const verifiedAt = createLru<string, number>(CACHE_ENTRIES);
  const judging = new Map<string, Promise<boolean>>();
  const limit = pLimit(MAX_CONCURRENT);
  let decoy: Promise<string> | undefined;

  function withinLimit<T>(work: () => Promise<T>): Promise<T> {
    if (limit.pendingCount >= MAX_WAITING)
      throw new Rejection('unavailable', { reason: 'too many sign-ins' }, { 'Retry-After': '5' });
    return limit(work);
  }

  async function isRight(
    passwordHash: string | undefined,
    password: string,
    attempt: PasswordAttempt,
  ): Promise<boolean> {
    // A changed password changes the hash, and so invalidates this entry.
    const key = keyOf(passwordHash, password);
    if (passwordHash !== undefined && now() - (verifiedAt.get(key) ?? -CACHE_TTL_MS) < CACHE_TTL_MS)
      return true;
    await attempt.begin();
    return withinLimit(async () => {
      // Verify against a decoy, so that timing does not reveal which accounts exist.
      decoy ??= hash('nobody has this password');
      const matches = await verify(passwordHash ?? (await decoy), password).catch(() => false);
      if (!matches || passwordHash === undefined) return false;
      verifiedAt.set(key, now());
      return true;
    });
  }

  async function judge(
    username: string,
    passwordHash: string | undefined,
    password: string,
    request: RequestRecord,
  ): Promise<boolean> {
    const attempt = signIns.attempt(username, request);
    try {
      const right = await isRight(passwordHash, password, attempt);
      if (right) attempt.right();
      else attempt.wrong();
      return right;
    } catch (error) {
      attempt.unjudged();
      throw error;
    }
  }

  function judged(...asked: Parameters<typeof judge>): Promise<boolean> {
    const [username, passwordHash, password, { clientAddress }] = asked;
    const question = `${keyOf(passwordHash, password)} ${clientAddress} ${username.toLowerCase()}`;
    const waiting = judging.get(question);
    if (waiting) return waiting;
    const answer = judge(...asked).finally(() => judging.delete(question));
    judging.set(question, answer);
    return answer;
  }

  async function byPassword(
    username: string,
    password: string,
    request: RequestRecord,
  ): Promise<Principal | undefined> {
    const user = await directory.userByName(username);
    const known =
      user && user.state !== 'deleted' ? await readStore.get(gatewayPasswords, user.id) : undefined;
    const passwordHash = known?.passwordHash ?? undefined;
    if (!(await judged(username, passwordHash, password, request)) || !user) return undefined;
    refuseBlocked(user);
    return principalOf(user, {
      scopes: ['api', 'read_repository', 'write_repository'],
      credential: { kind: 'password', id: null },
      onBehalfBy: null,
    });
  }

  return {
    async principal(username, password, request) {
      if (username === JOB_LOGIN) {
        const job = await authentication.byJobToken(password);
        if (job) return { ...job, scopes: ['read_repository'] };
        const principal = await authentication.byToken(password);
        if (!principal) signIns.refused('unknown_token', request);
        return principal;
      }
      const principal = isReadable(username, password)
        ? ((await authentication.byToken(password)) ??
          (await authentication.byDeployToken(username, password)) ??
          (await byPassword(username, password, request)))
        : undefined;
      if (!principal) signIns.refused('wrong_password', request, username);
      return principal;
    },
    async account(username, password, request) {
      const principal = isReadable(username, password)
        ? await byPassword(username, password, request)
        : undefined;
      if (!principal) signIns.refused('wrong_password', request, username);
      return principal;
    },
  };
}

const isReadable = (username: string, password: string): boolean =>
  username !== '' && password !== '' && password.length <= MAX_PASSWORD;

const keyOf = (passwordHash: string | undefined, password: string) => sha256(`${passwordHash} ${password}`);
