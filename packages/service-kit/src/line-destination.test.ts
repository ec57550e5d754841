import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLineDestination } from './line-destination.ts';

function openFile(): { path: string; descriptor: number } {
  const folder = mkdtempSync(join(tmpdir(), 'lines-'));
  const path = join(folder, 'log');
  const descriptor = openSync(path, 'w');
  onTestFinished(() => {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  });
  return { path, descriptor };
}

test('lines arrive whole, in order, without being asked for', async () => {
  const { path, descriptor } = openFile();
  const destination = createLineDestination(descriptor);
  const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at} – ü\n`);
  for (const line of lines) destination.write(line);
  const written = () => readFileSync(path, 'utf8');
  await expect.poll(written).toBe(lines.join(''));
});

test('what waits at the end of the process is written before it ends', () => {
  const { path, descriptor } = openFile();
  const destination = createLineDestination(descriptor);
  destination.write('one\n');
  destination.write('two\n');
  destination.flushSync();
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
});

test('a descriptor that nobody reads any more throws nothing', async () => {
  const { descriptor } = openFile();
  const gone = createLineDestination(descriptor + 1000);
  gone.write('lost\n');
  gone.flushSync();
  gone.write('lost again\n');
  await new Promise((resolve) => setTimeout(resolve, 150));
  gone.flushSync();
});
