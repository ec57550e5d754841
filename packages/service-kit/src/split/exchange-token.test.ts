import { SignJWT, UnsecuredJWT } from 'jose';
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
  const token = await tokens.sign(claims, 'repo');
  expect(await tokens.verify(token, 'repo')).toEqual(claims);
  expect(await tokens.verify(token, 'admin')).toBeUndefined();
});

test('a token expires after seconds', async () => {
  const { clock, pass } = clockAt(1_800_000_000_000);
  const tokens = createExchangeTokens({ secretKey, clock });
  const token = await tokens.sign(claims, 'repo');
  pass(10_000);
  expect(await tokens.verify(token, 'repo')).toEqual(claims);
  pass(10_000);
  expect(await tokens.verify(token, 'repo')).toBeUndefined();
});

test('a forged, cut, unsigned or foreign token is rejected', async () => {
  const tokens = createExchangeTokens({ secretKey, clock: () => new Date() });
  const others = createExchangeTokens({ secretKey: `${secretKey}!`, clock: () => new Date() });
  const token = await tokens.sign(claims, 'repo');
  const [head, body, mac] = token.split('.') as [string, string, string];
  const changed = Buffer.from(
    Buffer.from(body, 'base64url').toString().replace('something', 'everything'),
  ).toString('base64url');
  const raw = await new SignJWT({ exchange: claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience('repo')
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secretKey));
  const unsecured = new UnsecuredJWT({ exchange: claims })
    .setAudience('repo')
    .setExpirationTime('1h')
    .encode();
  const forged = [
    `${head}.${changed}.${mac}`,
    `${head}.${body}.`,
    `${head}.${body}`,
    token.slice(0, -2),
    await others.sign(claims, 'repo'),
    raw,
    unsecured,
    '',
    'none',
  ];
  for (const one of forged) expect(await tokens.verify(one, 'repo')).toBeUndefined();
  expect(await tokens.verify(undefined, 'repo')).toBeUndefined();
});

test('malformed claims are rejected', async () => {
  const tokens = createExchangeTokens({ secretKey, clock: () => new Date() });
  const odd = { ...claims, position: 12 } as unknown as ExchangeClaims;
  expect(await tokens.verify(await tokens.sign(odd, 'repo'), 'repo')).toBeUndefined();
});
