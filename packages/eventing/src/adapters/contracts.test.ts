import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = import.meta.dirname;
const suites = {
  'event-store': 'describeEventStore(',
  'read-store': 'describeReadStore(',
  feed: 'describeFeed(',
  registers: 'describeRegisters(',
  'expiring-stream': 'describeExpiringStream(',
};

/* Nothing else checks an adapter that skips its port's suite. */
for (const adapter of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
  for (const [port, call] of Object.entries(suites)) {
    const files = readdirSync(join(folder, adapter.name));
    if (!files.includes(`${adapter.name}-${port}.ts`)) continue;
    test(`${adapter.name} runs the contract of the ${port}`, () => {
      const tests = files.filter((file) => file.endsWith('.test.ts'));
      const calls = tests.filter((file) =>
        readFileSync(join(folder, adapter.name, file), 'utf8').includes(call),
      );
      expect(calls).not.toEqual([]);
    });
  }

test('each adapter implements a port under its usual name', () => {
  for (const adapter of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const files = readdirSync(join(folder, adapter.name));
    expect(Object.keys(suites).some((port) => files.includes(`${adapter.name}-${port}.ts`))).toBe(true);
  }
});
