/** Ends a git that takes more memory than a read may: a small repository can name more files than any machine holds. */
import { readFileSync } from 'node:fs';
import type { RunningCommand } from './supervisor-client.ts';

/** Bytes of its own, packs that it maps not counted. A history of a million commits takes about a third. */
const MOST_BYTES = 1024 * 1024 * 1024;
/** git takes some 200 MB a second where a tree never ends. */
const EVERY_MS = 250;

export interface MemoryWatch {
  /** Whether it was ended for its memory. */
  outgrown(): boolean;
  end(): void;
}

/** Until `end`, which the end of the command calls too. */
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

/** 0 where it cannot be told: only Linux does. */
function memoryOf(pid: number): number {
  try {
    const [, kilobytes] = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
