import { Rejection } from '@forgelog/contracts/errors.ts';
import { expect, test } from 'vitest';
import { createOwnFailures } from './sign-in-failures.ts';
import {
  createSignInLimit,
  type PasswordAttempt,
  type SignInBlock,
  type SignInLimit,
} from './sign-in-limit.ts';

const HOME = '192.0.2.1';
const AWAY = '192.0.2.2';

function limited() {
  let now = 5_000;
  const blocks: SignInBlock[] = [];
  const limit = createSignInLimit(
    createOwnFailures(() => now),
    (block) => blocks.push(block),
  );
  return {
    limit,
    blocks,
    pass: (seconds: number) => {
      now += seconds * 1_000;
    },
    guess(address: string, account: string, times = 1) {
      for (let i = 0; i < times; i++) begun(limit, address, account).wrong();
    },
  };
}

function begun(limit: SignInLimit, address: string, account: string): PasswordAttempt {
  const attempt = limit.attempt(address, account);
  void attempt.begin();
  return attempt;
}

/** Seconds after which to try again; undefined where it was let through. */
function refusalOf(check: () => unknown): number | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    expect(error.status).toBe(429);
    return Number(error.headers['Retry-After']);
  }
}

test('ten wrong passwords block the account for that address alone, in any case of its name', () => {
  const { limit, guess, blocks } = limited();
  guess(HOME, 'ada', 10);
  expect(refusalOf(() => limit.attempt(HOME, 'ADA'))).toBe(60);
  expect(refusalOf(() => limit.attempt(AWAY, 'ada'))).toBeUndefined();
  expect(refusalOf(() => limit.attempt(HOME, 'bob'))).toBeUndefined();
  expect(blocks).toEqual([{ address: HOME, account: 'ada', seconds: 60 }]);
});

test('a block doubles each time up to an hour, and is short again after a quiet day', () => {
  const { limit, guess, pass, blocks } = limited();
  const waits: (number | undefined)[] = [];
  for (let i = 0; i < 8; i++) {
    guess(HOME, 'ada', 10);
    const seconds = refusalOf(() => limit.attempt(HOME, 'ada'));
    waits.push(seconds);
    pass(seconds!);
  }
  expect(waits).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600]);
  pass(24 * 3600);
  guess(HOME, 'ada', 10);
  expect(refusalOf(() => limit.attempt(HOME, 'ada'))).toBe(60);
  expect(blocks).toHaveLength(9);
});

test('wrong passwords far apart block nothing, and a right one forgets those before it', () => {
  const { limit, guess, pass } = limited();
  for (let i = 0; i < 4; i++) {
    guess(HOME, 'ada', 9);
    pass(300);
  }
  guess(HOME, 'ada', 9);
  begun(limit, HOME, 'ada').right();
  guess(HOME, 'ada', 9);
  // The password that was verified a moment ago is right without another count.
  limit.attempt(HOME, 'ada').right();
  guess(HOME, 'ada', 9);
  expect(refusalOf(() => limit.attempt(HOME, 'ada'))).toBeUndefined();
});

test('guesses at the same time count before they are judged, and one that nobody judged does not count', () => {
  const { limit } = limited();
  const attempts = Array.from({ length: 10 }, () => begun(limit, HOME, 'ada'));
  expect(refusalOf(() => limit.attempt(HOME, 'ada'))).toBe(60);
  attempts[9]!.unjudged();
  attempts[8]!.unjudged();
  expect(refusalOf(() => begun(limit, HOME, 'ada').unjudged())).toBeUndefined();
  attempts[0]!.right();
  for (let i = 0; i < 9; i++) begun(limit, HOME, 'ada');
  expect(refusalOf(() => limit.attempt(HOME, 'ada'))).toBeUndefined();
});

test('an address that guesses widely is blocked, and what signed in from it before goes on', () => {
  const { limit, guess, blocks } = limited();
  begun(limit, HOME, 'ada').right();
  limit.admit(HOME, '1');
  for (let i = 0; i < 50; i++) guess(HOME, `user${i}`);
  expect(blocks).toEqual([{ address: HOME, account: null, seconds: 60 }]);
  expect(refusalOf(() => limit.attempt(HOME, 'bob'))).toBe(60);
  expect(refusalOf(() => limit.admit(HOME, '2'))).toBe(60);
  expect(refusalOf(() => limit.wrongToken(HOME, 'digest'))).toBe(60);
  expect(refusalOf(() => limit.attempt(HOME, 'ada').right())).toBeUndefined();
  expect(refusalOf(() => limit.admit(HOME, '1'))).toBeUndefined();
  expect(refusalOf(() => limit.admit(AWAY, '2'))).toBeUndefined();
});

test('fifty wrong tokens block an address, and one that is repeated counts once', () => {
  const { limit } = limited();
  for (let i = 0; i < 500; i++) limit.wrongToken(HOME, 'expired');
  for (let i = 0; i < 48; i++) limit.wrongToken(HOME, `guess ${i}`);
  expect(refusalOf(() => limit.admit(HOME, '1'))).toBeUndefined();
  limit.wrongToken(HOME, 'one more');
  expect(refusalOf(() => limit.admit(HOME, '2'))).toBe(60);
});

test('an IPv6 subscriber has 64 bits of addresses, and IPv4 in IPv6 is IPv4', () => {
  const { limit, guess } = limited();
  guess('2001:db8::1', 'ada', 10);
  expect(refusalOf(() => limit.attempt('2001:db8::ffff:2', 'ada'))).toBe(60);
  expect(refusalOf(() => limit.attempt('2001:db8:0:1::1', 'ada'))).toBeUndefined();
  guess(`::ffff:${HOME}`, 'ada', 10);
  expect(refusalOf(() => limit.attempt(HOME, 'ada'))).toBe(60);
});
