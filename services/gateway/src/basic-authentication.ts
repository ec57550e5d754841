import type { IncomingMessage } from 'node:http';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { principalOf } from '@forgelog/directory/acting-user.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { hash, verify } from '@node-rs/argon2';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { type Authentication, refuseBlocked, sha256 } from './authentication.ts';
import { gatewayPasswords } from './credentials.projection.ts';

export type BasicCredentials =
  | { kind: 'none' }
  | { kind: 'unreadable' }
  | { kind: 'basic'; username: string; password: string };

export interface BasicAuthentication {
  /**
   * Accepts any user name with a token as the password, or an account's own password. Returns undefined if they are
   * wrong. The name `gitlab-ci-token` takes the token of a running job, which reads repositories.
   * @throws Rejection 403 for a blocked account, 503 while too many passwords are being checked
   */
  principal(username: string, password: string): Promise<Principal | undefined>;
}

/** Milliseconds for which a verified password is cached: git authenticates two or three times a command. */
const CACHE_TTL_MS = 60_000;
const CACHE_ENTRIES = 10_000;
const JOB_LOGIN = 'gitlab-ci-token';
/** argon2 is slow and large by design, so bound the verifications that run and wait. */
const MAX_CONCURRENT = 2;
const MAX_WAITING = 100;

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
  /** Monotonic clock in milliseconds. */
  now: () => number;
}): BasicAuthentication {
  const { authentication, directory, readStore, now } = ports;
  const verifiedAt = new LRUCache<string, number>({ max: CACHE_ENTRIES });
  const limit = pLimit(MAX_CONCURRENT);
  let decoy: Promise<string> | undefined;

  function withinLimit<T>(work: () => Promise<T>): Promise<T> {
    if (limit.pendingCount >= MAX_WAITING)
      throw new Rejection('unavailable', { reason: 'too many sign-ins' }, { 'Retry-After': '5' });
    return limit(work);
  }

  async function isRight(passwordHash: string | undefined, password: string): Promise<boolean> {
    // A changed password changes the hash, and so invalidates this entry.
    const key = sha256(`${passwordHash} ${password}`);
    if (passwordHash !== undefined && now() - (verifiedAt.get(key) ?? -CACHE_TTL_MS) < CACHE_TTL_MS)
      return true;
    return withinLimit(async () => {
      // Verify against a decoy, so that timing does not reveal which accounts exist.
      decoy ??= hash('nobody has this password');
      const matches = await verify(passwordHash ?? (await decoy), password).catch(() => false);
      if (!matches || passwordHash === undefined) return false;
      verifiedAt.set(key, now());
      return true;
    });
  }

  async function byPassword(username: string, password: string): Promise<Principal | undefined> {
    const user = await directory.userByName(username);
    const known =
      user && user.state !== 'deleted' ? await readStore.get(gatewayPasswords, user.id) : undefined;
    if (!(await isRight(known?.passwordHash ?? undefined, password)) || !user) return undefined;
    refuseBlocked(user);
    return principalOf(user, {
      scopes: ['api', 'read_repository', 'write_repository'],
      credential: { kind: 'password', id: null },
      onBehalfBy: null,
    });
  }

  return {
    async principal(username, password) {
      if (username === '' || password === '' || password.length > 1024) return undefined;
      if (username === JOB_LOGIN) {
        const principal = await authentication.byJobToken(password);
        return principal && { ...principal, scopes: ['read_repository'] };
      }
      return (await authentication.byToken(password)) ?? byPassword(username, password);
    },
  };
}
