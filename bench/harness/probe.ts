/*
 * Loaded before the program in every measured process (`node --import`): tells what the process has used so far, of
 * all its threads, whenever it is asked.
 */
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface Usage {
  /** Microseconds of processor time, user and system, since the start. */
  cpu: number;
  /** Bytes that belong to no file. */
  anonymous: number;
  /** Longest stay of the event loop in one turn since the last time it was asked, in milliseconds. */
  longestTurn: number;
  /**
   * The most processor time that the main thread took between two ticks of a timer of one millisecond, since the last
   * time it was asked, in milliseconds: what a turn costs by itself, whatever else the machine does. 0 without
   * MEASURE_TURNS, because the ticks cost something too.
   */
  longestWork: number;
}

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

let longestWork = 0;
if (process.env.MEASURE_TURNS) {
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

process.on('message', (question) => {
  if (question !== 'usage') return;
  const { user, system } = process.cpuUsage();
  const cpu = user + system;
  const usage: Usage = { cpu, anonymous: anonymous(), longestTurn: delay.max / 1e6, longestWork };
  delay.reset();
  longestWork = 0;
  process.send?.(usage);
});
process.channel?.unref();
// Nothing is left behind when the bench ends early.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));

function anonymous(): number {
  if (process.platform !== 'linux') return process.memoryUsage().rss;
  const [, kilobytes] = /RssAnon:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
