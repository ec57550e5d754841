import { type Logger, pino } from 'pino';
import type { Configuration } from './configuration.ts';
import { createLineDestination } from './line-destination.ts';

export type { Logger };

/**
 * One JSON line an entry on standard output. A write for each line would cost a request a quarter of its time: lines
 * of a moment are written together. No header, query or body is ever logged, so there is nothing to cut out.
 */
export function createLogger(configuration: Pick<Configuration, 'LOG_LEVEL'>): Logger {
  const destination = createLineDestination(1);
  process.once('exit', () => destination.flushSync());
  return pino({ level: configuration.LOG_LEVEL, base: null, timestamp: createTimestamp() }, destination);
}

interface Entries {
  [pino.symbols.streamSym]: { write(line: string): void };
  [pino.symbols.timeSym](): string;
}

/**
 * An entry at level info whose members are JSON text already (`"a":1,"b":"…"`): for lines that are written so often
 * that going through their members one by one would cost more than all else that a small answer needs.
 */
export function infoEntry(log: Logger, members: string, message: string): void {
  const { [pino.symbols.streamSym]: stream, [pino.symbols.timeSym]: time } = log as unknown as Entries;
  stream.write(`{"level":30${time()},${members},"msg":"${message}"}\n`);
}

/** The time in ISO 8601, written once a millisecond: thousands of lines share one. */
function createTimestamp(): () => string {
  let last = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== last) {
      last = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}
