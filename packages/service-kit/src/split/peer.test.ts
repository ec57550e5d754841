import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { meet, type OwnSide, servePeers } from './peer.ts';

const [ONE, OTHER, THIRD] = ['1', '2', '3'].map((digit) => digit.repeat(32)) as [string, string, string];
const NOON = Date.parse('2030-01-01T12:00:00Z');

const side = (secretKey: string, { ahead = 0 } = {}): OwnSide => ({
  ...{ service: 'tracker', secretKey },
  clock: () => new Date(NOON + ahead * 1_000),
});

async function urlOf(peer: OwnSide): Promise<string> {
  const page = servePeers(peer);
  const server = createServer((request, response) => {
    if (!page(request, response, request.url!)) response.writeHead(401).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const met = async (peer: OwnSide, own: OwnSide) => meet(await urlOf(peer), own, 10_000);

test.each([
  ['the same key', ONE, ONE],
  ['the first step of a rotation', ONE, `${ONE},${OTHER}`],
  ['the second step of a rotation', `${ONE},${OTHER}`, `${OTHER},${ONE}`],
  ['the last step of a rotation', OTHER, `${OTHER},${ONE}`],
])('processes agree with %s', async (_, peer, own) => {
  expect(await met(side(peer), side(own))).toEqual([]);
});

test.each([
  ['another key', ONE, OTHER],
  ['a key that signs and that the peer does not accept yet', ONE, `${OTHER},${ONE}`],
  ['a peer that signs with a key that is gone here', `${ONE},${OTHER}`, OTHER],
  ['a third key', `${ONE},${OTHER}`, THIRD],
])('processes disagree with %s', async (_, peer, own) => {
  expect(await met(side(peer), side(own))).toEqual(['its SECRET_KEY is not that of']);
});

test('a clock that is wrong by more than an exchange allows is told, with its direction', async () => {
  expect(await met(side(ONE), side(ONE, { ahead: 8 }))).toEqual([]);
  expect(await met(side(ONE), side(ONE, { ahead: 20 }))).toEqual(['its clock is 20 s ahead of that of']);
  expect(await met(side(ONE), side(ONE, { ahead: -20 }))).toEqual(['its clock is 20 s behind that of']);
});

test('nobody is met where nothing listens, or something that does not introduce itself', async () => {
  expect(await meet('http://127.0.0.1:1', side(ONE), 10_000)).toBeUndefined();
  expect(await meet(`${await urlOf(side(ONE))}/elsewhere`, side(ONE), 10_000)).toBeUndefined();
});

test('an introduction does not tell the key', async () => {
  const text = await (await fetch(`${await urlOf(side(`${ONE},${OTHER}`))}/-/peer`)).text();
  expect(text).not.toContain(ONE);
  expect(JSON.parse(text).keys).toHaveLength(2);
});
