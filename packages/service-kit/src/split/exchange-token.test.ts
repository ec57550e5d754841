import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createExchangeTokens, type ExchangeClaims } from './exchange-token.ts';

const secretKey = 'a key of thirty-two characters or more';
const claims: ExchangeClaims = {
  kind: 'operation',
  operation: 'something',
  request: 'digest',
  principal: null,
  write: null,
  position: '12',
};

function clockAt(start: number) {
  let now = start;
  const pass = (ms: number) => {
    now += ms;
  };
  return { clock: () => new Date(now), pass };
}

test('a token is valid only for the service it was signed for', async () => {
  const tokens = createExchangeTokens({ secretKey, clock: () => new Date() });
  const token = tokens.sign(claims, 'repo');
  expect(tokens.verify(token, 'repo')).toEqual(claims);
  expect(tokens.verify(token, 'admin')).toBeUndefined();
});

test('a token expires after seconds', async () => {
  const { clock, pass } = clockAt(1_800_000_000_000);
  const tokens = createExchangeTokens({ secretKey, clock });
  const token = tokens.sign(claims, 'repo');
  pass(10_000);
  expect(tokens.verify(token, 'repo')).toEqual(claims);
  pass(10_000);
  expect(tokens.verify(token, 'repo')).toBeUndefined();
});

test('a forged, cut, unsigned or foreign token is rejected', async () => {
  const tokens = createExchangeTokens({ secretKey, clock: () => new Date() });
  const others = createExchangeTokens({ secretKey: `${secretKey}!`, clock: () => new Date() });
  const token = tokens.sign(claims, 'repo');
  const [body, mac] = token.split('.') as [string, string];
  const changed = Buffer.from(
    Buffer.from(body, 'base64url').toString().replace('something', 'everything'),
  ).toString('base64url');
  // The setting itself is not the key.
  const raw = createHmac('sha256', secretKey).update(body).digest('base64url');
  const forged = [
    `${changed}.${mac}`,
    `${body}.`,
    body,
    token.slice(0, -2),
    `${token}.${mac}`,
    others.sign(claims, 'repo'),
    `${body}.${raw}`,
    '',
    'none',
  ];
  for (const one of forged) expect(tokens.verify(one, 'repo')).toBeUndefined();
  expect(tokens.verify(undefined, 'repo')).toBeUndefined();
});

test('malformed claims are rejected', async () => {
  const tokens = createExchangeTokens({ secretKey, clock: () => new Date() });
  const odd = { ...claims, position: 12 } as unknown as ExchangeClaims;
  expect(tokens.verify(tokens.sign(odd, 'repo'), 'repo')).toBeUndefined();
});
