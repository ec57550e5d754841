import type { IncomingMessage } from 'node:http';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { hash, verify } from '@node-rs/argon2';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { type Authentication, principalOf, refuseBlocked, sha256 } from './authentication.ts';
import { gatewayPasswords } from './credentials.projection.ts';

/** What an `Authorization: Basic` header brings. */
export type BasicCredentials =
  | { kind: 'none' }
  /** Another scheme, or nothing that can be read. */
  | { kind: 'unreadable' }
  | { kind: 'basic'; username: string; password: string };

export interface BasicAuthentication {
  /**
   * Who these are: any user name with a token as the password, or an account with its own. undefined when they
   * are wrong. @throws Rejection 403 for a blocked account, 503 when too many passwords are being checked
   */
  principal(username: string, password: string): Promise<Principal | undefined>;
}

/** A password that was right is not computed again for so long; git asks two or three times a command. */
const REMEMBER_MS = 60_000;
const REMEMBERED = 10_000;
/** argon2 is slow and large by design: nobody may make the process do nothing else. */
const AT_ONCE = 2;
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
  /** Milliseconds that only grow. */
  now: () => number;
}): BasicAuthentication {
  const { authentication, directory, readStore, now } = ports;
  const right = new LRUCache<string, number>({ max: REMEMBERED });
  const limit = pLimit(AT_ONCE);
  let decoy: Promise<string> | undefined;

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (limit.pendingCount >= MAX_WAITING)
      throw new Rejection('unavailable', { reason: 'too many sign-ins' }, { 'Retry-After': '5' });
    return limit(work);
  }

  async function isRight(passwordHash: string | undefined, password: string): Promise<boolean> {
    // Changing the password changes its hash, and so forgets the old one.
    const key = sha256(`${passwordHash} ${password}`);
    if (passwordHash !== undefined && now() - (right.get(key) ?? -REMEMBER_MS) < REMEMBER_MS) return true;
    return inTurn(async () => {
      // An account that is not there takes as long as one that is.
      decoy ??= hash('nobody has this password');
      const matches = await verify(passwordHash ?? (await decoy), password).catch(() => false);
      if (!matches || passwordHash === undefined) return false;
      right.set(key, now());
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
      return (await authentication.byToken(password)) ?? byPassword(username, password);
    },
  };
}
