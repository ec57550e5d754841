/*
 * Loaded before the program in every measured process (`node --import`); reports resource usage of all threads on
 * request.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

export interface Usage {
  /** Microseconds of user and system time since the start. */
  cpu: number;
  /** Bytes of anonymous memory. */
  anonymous: number;
  /** The most bytes in memory, those of files included, since the last report. */
  peak: number;
  /** The longest event loop turn since the last report, in milliseconds. */
  longestTurn: number;
  /**
   * The most processor time of the main thread between two ticks of a 1 ms timer since the last report, in
   * milliseconds. Measures a turn's own cost, independent of other load. 0 without MEASURE_TURNS, because the ticks
   * cost time too.
   */
  longestWork: number;
}

const isLinux = process.platform === 'linux';
const delay = monitorEventLoopDelay({ resolution: 1 });
// The module is loaded into worker threads too, where a tick a millisecond would count as the product's own time.
if (isMainThread) delay.enable();

let longestWork = 0;
if (isMainThread && process.env.MEASURE_TURNS) {
  let before = mainThreadTime();
  setInterval(() => {
    const now = mainThreadTime();
    longestWork = Math.max(longestWork, now - before);
    before = now;
  }, 1).unref();
}

/** Milliseconds. */
function mainThreadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

process.on('message', async (question) => {
  if (question === 'held') process.send?.(await held());
  if (question !== 'usage') return;
  const { user, system } = process.cpuUsage();
  const cpu = user + system;
  const usage: Usage = {
    cpu,
    anonymous: anonymous(),
    peak: peak(),
    longestTurn: delay.max / 1e6,
    longestWork,
  };
  delay.reset();
  longestWork = 0;
  process.send?.(usage);
});
process.channel?.unref();
// Ends with the bench, even if that is aborted.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));

const SETTLED = 100_000;
const MOST_COLLECTIONS = 30;

/**
 * Bytes that the main thread's objects hold, inside the heap of V8 and outside. Collects garbage until nothing more goes:
 * memory of the system tells what is held only to within tens of megabytes, because V8 gives back what it likes.
 */
async function held(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let least = Number.POSITIVE_INFINITY;
  for (let collections = 0; collections < MOST_COLLECTIONS; collections += 1) {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    if (collections > 3 && heapUsed + external > least - SETTLED) return Math.min(least, heapUsed + external);
    least = Math.min(least, heapUsed + external);
    // Objects with finalizers need turns of the event loop.
    await sleep(100);
  }
  return least;
}

function anonymous(): number {
  return isLinux ? ofStatus(/RssAnon:\s+(\d+) kB/) : process.memoryUsage().rss;
}

function peak(): number {
  if (!isLinux) return process.resourceUsage().maxRSS * 1024;
  const most = ofStatus(/VmHWM:\s+(\d+) kB/);
  writeFileSync('/proc/self/clear_refs', '5');
  return most;
}

/** Bytes. */
function ofStatus(line: RegExp): number {
  const [, kilobytes] = line.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
