import { expect, test } from 'vitest';
import { isAddressException, mayReach, NO_EXCEPTIONS } from './address-rules.ts';

const PRIVATE = [
  '127.0.0.1',
  '10.0.0.1',
  '172.16.9.9',
  '192.168.1.1',
  '100.64.0.1',
  '::1',
  'fd00::1',
  '::127.0.0.1',
];
/** Forms of IPv6 that lead to an address of IPv4, or may. */
const HIDDEN = ['::7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:0:1::1', '::ffff:0:7f00:1', '100::1'];
const OF_A_MACHINE = [
  '0.0.0.0',
  '::',
  '169.254.169.254',
  'fe80::1',
  '224.0.0.1',
  'ff02::1',
  '255.255.255.255',
];

test.each([...PRIVATE, ...HIDDEN, ...OF_A_MACHINE])('%s is not public', (address) => {
  expect(mayReach(address, 'a.example', NO_EXCEPTIONS)).toBe(false);
  expect(mayReach(`::ffff:${address}`, 'a.example', NO_EXCEPTIONS)).toBe(false);
});

test('public addresses are reached', () => {
  for (const address of ['93.184.216.34', '2606:2800:220:1::1', '::ffff:93.184.216.34'])
    expect(mayReach(address, 'a.example', NO_EXCEPTIONS)).toBe(true);
});

test('private networks are reached where they may be, and what a machine has for itself is not', () => {
  const open = { local: true, allowed: [] };
  for (const address of PRIVATE) expect(mayReach(address, 'a.example', open)).toBe(true);
  for (const address of [...OF_A_MACHINE, ...HIDDEN])
    expect(mayReach(address, 'a.example', open)).toBe(false);
});

test('an exception names an address, a network or a host', () => {
  const only = (...allowed: string[]) => ({ local: false, allowed });
  expect(mayReach('10.1.2.3', 'a.example', only('10.1.2.3'))).toBe(true);
  expect(mayReach('::ffff:10.1.2.3', 'a.example', only('10.1.2.3'))).toBe(true);
  expect(mayReach('10.1.2.4', 'a.example', only('10.1.2.3', 'not an address/8'))).toBe(false);
  expect(mayReach('10.1.2.3', 'a.example', only('10.1.0.0/16', 'fd00::/8'))).toBe(true);
  expect(mayReach('10.2.2.3', 'a.example', only('10.1.0.0/16'))).toBe(false);
  expect(mayReach('10.1.2.3', 'A.example', only('a.example'))).toBe(true);
  expect(mayReach('10.1.2.3', 'b.a.example', only('a.example'))).toBe(false);
});

test('what is neither is no exception', () => {
  const texts = ['10.1.2.3', '10.0.0.0/8', 'fd00::/8', '::1', 'ci.example.org', 'localhost'];
  expect(texts.filter(isAddressException)).toEqual(texts);
  expect(['', '10.0.0.0/99', 'a b', 'http://a.example', '*.example'].filter(isAddressException)).toEqual([]);
});
