import { Rejection } from '@forgelog/contracts/errors.ts';
import { createLru } from '@forgelog/eventing/lru.ts';
import { Backoff, type BackoffEntries } from './backoff.ts';
import { networkOf } from './network.ts';
import type { SignInFailures } from './sign-in-failures.ts';

export interface SignInBlock {
  address: string | null;
  /** The name that was tried; null for all sign-ins from the address. */
  account: string | null;
  seconds: number;
}

export interface PasswordAttempt {
  /** Counts it, as wrong until it is judged. @throws Rejection 429, also later, where it is one too many */
  begin(): void | Promise<void>;
  right(): void;
  wrong(): void;
  unjudged(): void;
}

export interface WrongToken {
  /** False where it was counted before. */
  isNew: boolean;
  /** A promise where other processes are asked. @throws Rejection 429 where the address is blocked there */
  counted: void | Promise<void>;
}

/** Slows down guessing, as ADR 62 says, for all processes that share the failures. */
export interface SignInLimit {
  /** @throws Rejection 429 while the account or the address is blocked, for a right password too */
  attempt(address: string | null, account: string): PasswordAttempt;
  /** Counts a wrong token, if it is new. @throws Rejection 429 while the address is blocked */
  wrongToken(address: string | null, digest: string): WrongToken;
  /**
   * Admits a right token: at once where it is known there. @throws Rejection 429, also later, while the address is
   * blocked, and the token is new there
   */
  admit(address: string | null, token: string): void | Promise<void>;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
export const ACCOUNT_LIMITS = {
  failures: 10,
  windowMs: 5 * MINUTE_MS,
  firstMs: MINUTE_MS,
  longestMs: 60 * MINUTE_MS,
};
const ADDRESS_LIMITS = { ...ACCOUNT_LIMITS, failures: 50 };
const KNOWN = 50_000;
const LONGEST_ACCOUNT = 255;

export function createSignInLimit(
  failures: SignInFailures,
  blocked: (block: SignInBlock) => void,
): SignInLimit {
  const accounts = new Backoff(ACCOUNT_LIMITS, failures.now);
  const addresses = new Backoff(ADDRESS_LIMITS, failures.now);
  const known = createLru<string, true>(KNOWN);
  const lastAddress = createLru<string, string>(KNOWN);
  const counted = createLru<string, true>(KNOWN);
  const digestOf = (network: string) => failures.digest(`address ${network}`);

  /** Others may have ended the block: whoever comes again is told then. */
  function requireOpenHere(ms: number): void {
    if (ms > 0) void failures.hear();
    requireOpen(ms);
  }

  return {
    attempt(address, name) {
      const network = networkOf(address);
      const account = name.slice(0, LONGEST_ACCOUNT);
      const key = `${network} ${account.toLowerCase()}`;
      const pair = `password ${key}`;
      const ofAccount = failures.digest(`account ${key}`);
      const ofAddress = digestOf(network);
      const blockedFor = (entries: BackoffEntries) =>
        accounts.blockedFor(entries, ofAccount) ||
        (known.has(pair) ? 0 : addresses.blockedFor(entries, ofAddress));
      requireOpenHere(blockedFor(failures.known));
      let began: { accountMs: number; addressMs: number } | undefined;

      function count(entries: BackoffEntries) {
        const ms = blockedFor(entries);
        if (ms > 0) return { ms, accountMs: 0, addressMs: 0 };
        return {
          ms,
          accountMs: accounts.fail(entries, ofAccount),
          addressMs: addresses.fail(entries, ofAddress),
        };
      }

      function takeBack(work: (entries: BackoffEntries, addressMs: number, accountMs: number) => void): void {
        if (!began) return;
        const { accountMs, addressMs } = began;
        void failures.change((entries) => work(entries, addressMs, accountMs));
      }

      return {
        begin() {
          return chain(failures.change(count), ({ ms, ...blocks }) => {
            requireOpen(ms);
            began = blocks;
          });
        },
        right() {
          known.set(pair, true);
          if (!began && failures.known.get(ofAccount)?.failures)
            void failures.change((entries) => accounts.forget(entries, ofAccount));
          takeBack((entries, addressMs) => {
            accounts.forget(entries, ofAccount);
            addresses.forgive(entries, ofAddress, addressMs);
          });
        },
        wrong() {
          const { accountMs, addressMs } = began!;
          if (accountMs > 0) blocked({ address, account, seconds: accountMs / SECOND_MS });
          if (addressMs > 0) blocked({ address, account: null, seconds: addressMs / SECOND_MS });
        },
        unjudged() {
          takeBack((entries, addressMs, accountMs) => {
            accounts.forgive(entries, ofAccount, accountMs);
            addresses.forgive(entries, ofAddress, addressMs);
          });
        },
      };
    },

    wrongToken(address, digest) {
      const network = networkOf(address);
      const ofAddress = digestOf(network);
      requireOpenHere(addresses.blockedFor(failures.known, ofAddress));
      const guess = `${network} ${digest}`;
      if (counted.has(guess)) return { isNew: false, counted: undefined };
      counted.set(guess, true);
      const changed = failures.change((entries) => {
        const ms = addresses.blockedFor(entries, ofAddress);
        return { ms, begun: ms > 0 ? 0 : addresses.fail(entries, ofAddress) };
      });
      return {
        isNew: true,
        counted: chain(changed, ({ ms, begun }) => {
          requireOpen(ms);
          if (begun > 0) blocked({ address, account: null, seconds: begun / SECOND_MS });
        }),
      };
    },

    admit(address, token) {
      if (lastAddress.get(token) === address) return;
      const network = networkOf(address);
      const pair = `token ${network} ${token}`;
      const admitted = () => {
        known.set(pair, true);
        if (address !== null) lastAddress.set(token, address);
      };
      if (known.has(pair)) return admitted();
      return chain(failures.hear(), () => {
        requireOpen(addresses.blockedFor(failures.known, digestOf(network)));
        admitted();
      });
    },
  };
}

function requireOpen(ms: number): void {
  if (ms > 0)
    throw new Rejection('too_many_requests', undefined, {
      'Retry-After': String(Math.ceil(ms / SECOND_MS)),
    });
}

const chain = <T>(value: T | Promise<T>, goOn: (value: T) => void): void | Promise<void> =>
  value instanceof Promise ? value.then(goOn) : goOn(value);
