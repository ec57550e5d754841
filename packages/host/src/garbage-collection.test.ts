import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { countLiveBuffers } from './garbage-collection.ts';

const run = promisify(execFile);

/** Lets a gigabyte pass through buffers beside a heap, and prints how often V8 marked all of it. */
const PASSING = `
import { PerformanceObserver, constants } from 'node:perf_hooks';
import { readFile, writeFile } from 'node:fs/promises';
import { countLiveBuffers } from ${JSON.stringify(join(import.meta.dirname, 'garbage-collection.ts'))};
if (process.argv[1] === 'live') countLiveBuffers();
const heap = Array.from({ length: 300_000 }, (_, at) => ({ at, text: 'entry ' + at }));
let marked = 0;
new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) marked += 1;
}).observe({ entryTypes: ['gc'] });
for (let passed = 0; passed < 1024; passed += 1) {
  for (let at = 0; at < 16; at += 1) Buffer.allocUnsafeSlow(65_536);
  await new Promise(setImmediate);
}
await new Promise((resolve) => setTimeout(resolve, 50));
process.stdout.write(JSON.stringify({ marked, kept: heap.length }));
`;

async function marks(which: 'all' | 'live'): Promise<number> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', PASSING, which]);
  return JSON.parse(stdout).marked;
}

test('bodies that pass through a process make V8 mark its heap rarely', async () => {
  const [all, live] = [await marks('all'), await marks('live')];
  expect(all).toBeGreaterThan(8);
  expect(live).toBeLessThan(all / 4);
});

test.each([
  ['13.6.233', 1],
  ['14.7.99', 1],
  ['14.8.0', 0],
  ['14.10.1', 0],
  ['15.0.3-node.1', 0],
])('V8 %s is told so %i times', (version, times) => {
  const setFlag = vi.fn();
  countLiveBuffers(version, setFlag);
  expect(setFlag).toHaveBeenCalledTimes(times);
});
