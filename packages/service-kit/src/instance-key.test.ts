import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfiguration } from './configuration.ts';
import { createCursors } from './cursor.ts';
import { lazyInstanceKey } from './instance-key.ts';
import { createJobTokens } from './job-token.ts';
import { createSealer } from './sealed.ts';
import { createExchangeTokens, type ExchangeClaims } from './split/exchange-token.ts';

const [ONE, OTHER] = ['1'.repeat(32), '2'.repeat(32)];
const keyOf = (setting: string) => lazyInstanceKey(readConfiguration({ SECRET_KEY: setting }));

test('what was sealed and signed with the key before is opened while both are set, and no longer after', async () => {
  const position = { order: 'id', values: [7] };
  const claims: ExchangeClaims = {
    ...{ kind: 'operation', operation: 'any', request: '', principal: null, write: null, position: '' },
  };
  const tokensOf = (secretKey: string) => createExchangeTokens({ secretKey, clock: () => new Date() });
  const made = {
    sealed: createSealer(keyOf(ONE), 'tests').seal('a place', 'a secret'),
    job: createJobTokens(keyOf(ONE)).of(7),
    cursor: createCursors(keyOf(ONE)).seal('a list', position),
    exchange: tokensOf(ONE).sign(claims, 'repo'),
  };
  for (const setting of [ONE, `${ONE},${OTHER}`, `${OTHER},${ONE}`]) {
    const key = keyOf(setting);
    expect(createSealer(key, 'tests').open('a place', made.sealed)).toBe('a secret');
    expect(createJobTokens(key).jobOf(made.job)).toBe(7);
    expect(createCursors(key).open('a list', made.cursor)).toEqual(position);
    expect(tokensOf(setting).verify(made.exchange, 'repo')).toEqual(claims);
  }
  const key = keyOf(OTHER);
  expect(() => createSealer(key, 'tests').open('a place', made.sealed)).toThrow('another instance key');
  expect(createJobTokens(key).jobOf(made.job)).toBeUndefined();
  expect(createCursors(key).open('a list', made.cursor)).toBeUndefined();
  expect(tokensOf(OTHER).verify(made.exchange, 'repo')).toBeUndefined();
});

test('the first of two keys seals and signs', async () => {
  const both = keyOf(`${OTHER},${ONE}`);
  expect(createSealer(keyOf(OTHER), 'tests').open('a', createSealer(both, 'tests').seal('a', 'text'))).toBe(
    'text',
  );
  expect(createJobTokens(both).of(7)).toBe(createJobTokens(keyOf(OTHER)).of(7));
});

test('a passphrase with a comma is one key', () => {
  const passphrase = 'a passphrase of the years before, long enough';
  expect(keyOf(passphrase).earlier()).toEqual([]);
  expect(keyOf(`${ONE},${OTHER}`).earlier()).toEqual([keyOf(OTHER)()]);
});

test('without a setting the key is made once, in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'forgelog-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const made = lazyInstanceKey({ SECRET_KEY: undefined, DATA_DIR: folder });
  expect(made()).toHaveLength(32);
  expect(lazyInstanceKey({ SECRET_KEY: undefined, DATA_DIR: folder })()).toEqual(made());
});
