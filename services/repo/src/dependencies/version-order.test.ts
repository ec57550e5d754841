import { expect, test } from 'vitest';
import type { Ecosystem } from './ecosystem.ts';
import { VERSION_ORDERS } from './version-order.ts';

/** Each older than the next. */
const ORDERS: readonly [Ecosystem, readonly string[]][] = [
  ['npm', ['0.9.9', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta.2', '1.0.0-beta.11']],
  ['npm', ['1.0.0-rc.1', '1.0.0', '1.0.10', '1.1.0', '10.0.0', '100000000000000000000000.0.0']],
  ['Go', ['v0.0.0-20210101000000-abcdef123456', 'v0.1.0', 'v1.2.3', '1.2.4']],
  ['NuGet', ['1.0.0', '1.0.0.1', '1.0.1']],
  [
    'PyPI',
    ['1.0.dev1', '1.0a1.dev2', '1.0a1', '1.0b2', '1.0rc1', '1.0', '1.0.post1.dev1', '1.0.post1', '1.1'],
  ],
  ['PyPI', ['2023.1', '1!0.1']],
  ['RubyGems', ['1.0.0.a', '1.0.0.rc1', '1.0.0', '1.0.0.1', '1.10', '2']],
  ['Maven', ['1.0-alpha-1', '1.0-beta-1', '1.0-M1', '1.0-rc1', '1.0-SNAPSHOT', '1.0', '1.0-sp1', '1.0.1']],
  ['Packagist', ['1.0.0-dev', '1.0.0-alpha1', '1.0.0-beta2', '1.0.0-RC1', '1.0.0', '1.0.0-p1', 'v1.0.1']],
];

test.each(ORDERS)('%s orders %j', (ecosystem, versions) => {
  const order = VERSION_ORDERS[ecosystem];
  for (const [at, one] of versions.entries())
    for (const [where, other] of versions.entries())
      expect([one, other, Math.sign(order(one, other))]).toEqual([one, other, Math.sign(at - where)]);
});

test.each([
  ['npm', '1.0.0+build', '1.0.0'],
  ['npm', 'v1.0', '1.0.0'],
  ['PyPI', '1.0', '1.0.0'],
  ['PyPI', '1.0-1', '1.0.post1'],
  ['PyPI', '1.0+local', '1.0'],
  ['RubyGems', '1.0', '1'],
  ['Maven', '1.0.0', '1'],
  ['Maven', '1.0.Final', '1.0'],
] as const)('%s: %s is %s', (ecosystem, one, other) => {
  expect(VERSION_ORDERS[ecosystem](one, other)).toBe(0);
});
