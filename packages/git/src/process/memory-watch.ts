/** Kills a git read that takes too much memory: a tiny repository can name more files than fit in any memory. */
import { readFileSync } from 'node:fs';
import type { RunningCommand } from './supervisor-client.ts';

/** Private bytes, without mapped packs. A history of a million commits takes about a third. */
const MOST_BYTES = 1024 * 1024 * 1024;
/** Milliseconds between checks. git allocates some 200 MB a second in an endless tree. */
const EVERY_MS = 250;

export interface MemoryWatch {
  outgrown(): boolean;
  end(): void;
}

export function watchMemory({ pid, kill, exit }: RunningCommand): MemoryWatch {
  let outgrown = false;
  const timer = setInterval(() => {
    if (outgrown || memoryOf(pid) < MOST_BYTES) return;
    outgrown = true;
    kill();
  }, EVERY_MS).unref();
  const end = () => clearInterval(timer);
  exit.then(end, end);
  return { outgrown: () => outgrown, end };
}

/** Returns 0 where /proc is missing; only Linux has it. */
function memoryOf(pid: number): number {
  try {
    const [, kilobytes] = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
