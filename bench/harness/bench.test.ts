import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compare, ratios } from './compare.ts';
import { createIssueTexts } from './issue-texts.ts';
import { httpRequest } from './load.ts';
import { startMeasured } from './measured-process.ts';
import { readOptions } from './options.ts';
import { table } from './report.ts';
import { result } from './scenario.ts';

test('two sides are measured alternately, each in its own process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = join(import.meta.dirname, 'bare-server.ts');
  const start = () =>
    startMeasured(program, {
      env: { BODY: import.meta.filename },
      output: join(folder, 'log'),
      ready: '/',
    });
  const [one, other] = [await start(), await start()];
  try {
    const load = { status: 200, connections: 2, next: () => httpRequest('GET', '/') };
    const sides = { one: { process: one, load }, other: { process: other, load } };
    const measured = await compare(sides, { rounds: 3, seconds: 0.05, by: 'rate' });
    expect(measured.one).toHaveLength(3);
    for (const ratio of ratios(measured.one, measured.other, 'rate')) expect(ratio).toBeGreaterThan(0);
    for (const { cpu } of measured.other) expect(cpu).toBeGreaterThan(0);
  } finally {
    await one.stop();
    await other.stop();
  }
});

test('the same seed gives the same issues', () => {
  const [one, other] = [createIssueTexts(1, [1, 2]), createIssueTexts(1, [1, 2])];
  for (let number = 0; number < 50; number += 1) expect(one(number)).toEqual(other(number));
  expect(createIssueTexts(2, [1, 2])(0)).not.toEqual(createIssueTexts(1, [1, 2])(0));
});

test('the table shows goal, ratio, spread, target and verdict', () => {
  const text = table([result(7, 'something', { atLeast: 2 }, [1, 1.5, 2], 'one; other')]);
  expect(text).toContain('7     something  1.50   ±17 %   ≥ 2     MISSED   one; other');
});

test('unknown options are rejected', () => {
  expect(readOptions(['--quick', '--only', '1,2', '--only', '5'])).toMatchObject({
    quick: true,
    only: [1, 2, 5],
  });
  expect(() => readOptions(['--fast'])).toThrow(RangeError);
  expect(() => readOptions(['--only', 'x'])).toThrow(RangeError);
});
