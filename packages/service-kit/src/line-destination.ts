import { write, writeSync } from 'node:fs';

/** Where log lines go. */
export interface LineDestination {
  write(line: string): void;
  /** Writes what waits before it returns: for the end of the process. */
  flushSync(): void;
}

/** Lines are written together once so many characters wait, and at the latest after this time. */
const TOGETHER = 65_536;
const LATEST_MS = 100;
/** A reader that does not read is waited for off the event loop until so much waits; what comes then is left out. */
const MOST = 16 * 1024 * 1024;
const AGAIN_MS = 20;
const LAST_TRIES = 50;

/**
 * Gathers lines and writes them to a file descriptor off the event loop, one write at a time. A line costs the
 * request that it is of next to nothing: no measuring in bytes, no call of the system.
 */
export function createLineDestination(descriptor: number): LineDestination {
  let lines: string[] = [];
  let waiting = 0;
  let left: Buffer | null = null;
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (left !== null || lines.length === 0) return;
    left = take();
    writeLeft();
  }

  function take(): Buffer {
    const text = Buffer.from(lines.join(''));
    lines = [];
    waiting = 0;
    return text;
  }

  function writeLeft(): void {
    write(descriptor, left!, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(writeLeft, AGAIN_MS).unref();
        return;
      }
      // Another error means that nobody is left to read it.
      left = error || written === left!.length ? null : left!.subarray(written);
      if (left) writeLeft();
      else if (waiting >= TOGETHER) flush();
      else schedule();
    });
  }

  function schedule(): void {
    if (lines.length > 0) timer ??= setTimeout(flush, LATEST_MS).unref();
  }

  return {
    write(line) {
      if (waiting > MOST) return;
      lines.push(line);
      waiting += line.length;
      if (waiting >= TOGETHER) flush();
      else timer ??= setTimeout(flush, LATEST_MS).unref();
    },
    flushSync() {
      // A write on its way ends by itself; this follows it.
      let rest = take();
      for (let tries = 0; rest.length > 0 && tries < LAST_TRIES; tries += 1) {
        try {
          rest = rest.subarray(writeSync(descriptor, rest));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS);
        }
      }
    },
  };
}
