import { Rejection } from '@forgelog/contracts/errors.ts';
import { createLru } from '@forgelog/eventing/lru.ts';
import { Backoff } from './backoff.ts';
import { networkOf } from './network.ts';

export interface SignInBlock {
  address: string | null;
  /** The name that was tried; null for all sign-ins from the address. */
  account: string | null;
  seconds: number;
}

/** It counts as wrong until it is judged. */
export interface PasswordAttempt {
  right(): void;
  wrong(): void;
  unjudged(): void;
}

/** Slows down guessing, in memory and for each process by itself, as ADR 62 says. */
export interface SignInLimit {
  /** @throws Rejection 429 while the account or the address is blocked, for a right password too */
  attempt(address: string | null, account: string): PasswordAttempt;
  /** Counts a wrong token, if it is new. Returns whether it is. @throws Rejection 429 while the address is blocked */
  wrongToken(address: string | null, digest: string): boolean;
  /** Admits a right token. @throws Rejection 429 while the address is blocked, and the token is new there */
  admit(address: string | null, token: string): void;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const ACCOUNT = { failures: 10, windowMs: 5 * MINUTE_MS, firstMs: MINUTE_MS, longestMs: 60 * MINUTE_MS };
const ADDRESS = { failures: 50, windowMs: 5 * MINUTE_MS, firstMs: MINUTE_MS, longestMs: 60 * MINUTE_MS };
const KNOWN = 50_000;
const LONGEST_ACCOUNT = 255;

export function createSignInLimit(now: () => number, blocked: (block: SignInBlock) => void): SignInLimit {
  const accounts = new Backoff(ACCOUNT, now);
  const addresses = new Backoff(ADDRESS, now);
  const known = createLru<string, true>(KNOWN);
  const lastAddress = createLru<string, string>(KNOWN);
  const counted = createLru<string, true>(KNOWN);

  const requireOpen = (ms: number) => {
    if (ms > 0) throw tooMany(ms);
  };

  return {
    attempt(address, name) {
      const network = networkOf(address);
      const account = name.slice(0, LONGEST_ACCOUNT);
      const key = `${network} ${account.toLowerCase()}`;
      const pair = `password ${key}`;
      requireOpen(accounts.blockedFor(key));
      if (!known.has(pair)) requireOpen(addresses.blockedFor(network));
      const accountMs = accounts.fail(key);
      const addressMs = addresses.fail(network);
      return {
        right() {
          accounts.forget(key);
          addresses.forgive(network, addressMs);
          known.set(pair, true);
        },
        wrong() {
          if (accountMs > 0) blocked({ address, account, seconds: accountMs / SECOND_MS });
          if (addressMs > 0) blocked({ address, account: null, seconds: addressMs / SECOND_MS });
        },
        unjudged() {
          accounts.forgive(key, accountMs);
          addresses.forgive(network, addressMs);
        },
      };
    },

    wrongToken(address, digest) {
      const network = networkOf(address);
      requireOpen(addresses.blockedFor(network));
      const guess = `${network} ${digest}`;
      if (counted.has(guess)) return false;
      counted.set(guess, true);
      const ms = addresses.fail(network);
      if (ms > 0) blocked({ address, account: null, seconds: ms / SECOND_MS });
      return true;
    },

    admit(address, token) {
      if (lastAddress.get(token) === address) return;
      const network = networkOf(address);
      const pair = `token ${network} ${token}`;
      if (!known.has(pair)) requireOpen(addresses.blockedFor(network));
      known.set(pair, true);
      if (address !== null) lastAddress.set(token, address);
    },
  };
}

const tooMany = (ms: number) =>
  new Rejection('too_many_requests', undefined, { 'Retry-After': String(Math.ceil(ms / SECOND_MS)) });
