import type { Operations } from '@forgelog/service-kit/operations.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createTokenUses } from './token-uses.ts';

const MINUTE_MS = 60_000;

function recorder(options: { pauseMs?: number; fails?: () => boolean } = {}) {
  let now = Date.parse('2030-01-01T00:00:00Z');
  const recorded: { tokenId: number; usedAt: string }[] = [];
  const warnings: unknown[] = [];
  const call = async (_: unknown, { uses }: { uses: typeof recorded }) => {
    if (options.fails?.()) throw new Error('admin is away');
    recorded.push(...uses);
    return {};
  };
  const uses = createTokenUses({
    operations: { call } as unknown as Operations,
    clock: () => new Date(now),
    log: { warn: (...line: unknown[]) => warnings.push(line) } as never,
    pauseMs: options.pauseMs ?? 10 * MINUTE_MS,
    writeMs: 5,
  });
  uses.start();
  onTestFinished(() => uses.stop());
  return {
    uses,
    recorded,
    warnings,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test('a token that is always in use is recorded every ten minutes, with others in one call', async () => {
  const { uses, recorded, pass } = recorder();
  for (let i = 0; i < 1_000; i++) uses.used(1);
  uses.used(2);
  await expect.poll(() => recorded).toHaveLength(2);
  pass(10 * MINUTE_MS - 1);
  uses.used(1);
  pass(1);
  uses.used(1);
  await expect.poll(() => recorded).toHaveLength(3);
  expect(recorded[2]).toEqual({ tokenId: 1, usedAt: '2030-01-01T00:10:00.000Z' });
});

test('a clock that is set back by a day does not stop it for a day', async () => {
  const { uses, recorded, pass } = recorder();
  uses.used(1);
  pass(-24 * 60 * MINUTE_MS);
  uses.used(1);
  await expect.poll(() => recorded.at(-1)?.usedAt).toBe('2029-12-31T00:00:00.000Z');
});

test('what could not be recorded is recorded later, and a thousand tokens in several calls', async () => {
  let away = true;
  const { uses, recorded, warnings } = recorder({ fails: () => away });
  for (let id = 1; id <= 1_001; id++) uses.used(id);
  await expect.poll(() => warnings.length).toBeGreaterThan(1);
  away = false;
  await expect.poll(() => recorded).toHaveLength(1_001);
  expect(new Set(recorded.map(({ tokenId }) => tokenId)).size).toBe(1_001);
});

test('nothing is recorded where the pause is 0', async () => {
  const { uses, recorded } = recorder({ pauseMs: 0 });
  uses.used(1);
  await uses.stop();
  expect(recorded).toEqual([]);
});
