import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { clientAddresses } from './client-address.ts';

const from = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

const XFF = 'x-forwarded-for';
const behind = (PROXY_HEADER: 'x-forwarded-for' | 'forwarded', ...TRUSTED_PROXIES: string[]) =>
  clientAddresses({ TRUSTED_PROXIES, PROXY_HEADER });

test('without trusted proxies, headers are ignored', () => {
  const addressOf = behind(XFF);
  const headers = { [XFF]: '203.0.113.7', forwarded: 'for=203.0.113.7' };
  expect(addressOf(from('127.0.0.1', headers))).toBe('127.0.0.1');
});

test.each([
  ['the client behind one proxy', '203.0.113.7', '203.0.113.7'],
  ['the client behind two', '203.0.113.7, 10.1.2.3', '203.0.113.7'],
  ['nobody but the next where a client made up the rest', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['an IPv6 client', '2001:db8::7', '2001:db8::7'],
  ['an address with its port', '203.0.113.7:4711, [::1]:80', '203.0.113.7'],
  ['the proxy where the next is garbage', '203.0.113.7, evil', '10.0.0.1'],
  ['the proxy where the next is empty', '203.0.113.7, ', '10.0.0.1'],
  ['the outermost where all are proxies', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
])('X-Forwarded-For tells %s', (_, header, address) => {
  const addressOf = behind(XFF, '10.0.0.0/8', 'loopback');
  expect(addressOf(from('10.0.0.1', { [XFF]: header, forwarded: 'for=192.0.2.1' }))).toBe(address);
});

test.each([
  ['the client', 'for=203.0.113.7;proto=https', '203.0.113.7'],
  ['the client behind two', 'for=203.0.113.7, For="10.1.2.3:80";by=10.0.0.1', '203.0.113.7'],
  ['an IPv6 client', 'for="[2001:db8::7]:4711"', '2001:db8::7'],
  ['nobody but the next where a client made up the rest', 'for=198.51.100.1, for=203.0.113.7', '203.0.113.7'],
  ['the next where a client sent a broken header', 'for="198.51.100.1, for=203.0.113.7', '203.0.113.7'],
  ['the proxy where it does not tell', 'for=unknown', '10.0.0.1'],
  ['the proxy where it hides the client', 'for=_hidden', '10.0.0.1'],
])('Forwarded tells %s', (_, header, address) => {
  const addressOf = behind('forwarded', '10.0.0.0/8');
  expect(addressOf(from('10.0.0.1', { forwarded: header, [XFF]: '192.0.2.1' }))).toBe(address);
});

test('headers of a peer that is not a trusted proxy are ignored', () => {
  const addressOf = behind(XFF, '10.0.0.0/8');
  expect(addressOf(from('192.0.2.9', { [XFF]: '203.0.113.7' }))).toBe('192.0.2.9');
});

test('a proxy is recognised when it connects over IPv4 to an IPv6 socket', () => {
  const addressOf = behind(XFF, '10.0.0.0/8');
  expect(addressOf(from('::ffff:10.0.0.1', { [XFF]: '203.0.113.7' }))).toBe('203.0.113.7');
});
