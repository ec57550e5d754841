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
}

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

process.on('message', (question) => {
  if (question !== 'usage') return;
  const { user, system } = process.cpuUsage();
  const usage: Usage = { cpu: user + system, anonymous: anonymous(), longestTurn: delay.max / 1e6 };
  delay.reset();
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
