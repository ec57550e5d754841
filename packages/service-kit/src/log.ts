import { type Logger, pino } from 'pino';
import type { Configuration } from './configuration.ts';

export type { Logger };

/** Lines are written together once this many bytes wait, and at the latest after this time. */
const BUFFER_BYTES = 8192;
const FLUSH_MS = 100;

/**
 * One JSON line an entry on standard output. A write for each line would cost a request a quarter of its time: lines
 * of a moment are written together. No header, query or body is ever logged, so there is nothing to cut out.
 */
export function createLogger(configuration: Pick<Configuration, 'LOG_LEVEL'>): Logger {
  const destination = pino.destination({ dest: 1, sync: false, minLength: BUFFER_BYTES });
  setInterval(() => destination.flush(), FLUSH_MS).unref();
  process.once('exit', () => {
    try {
      destination.flushSync();
    } catch {
      // Nothing was logged, or standard output is gone: there is nobody left to tell.
    }
  });
  return pino(
    {
      level: configuration.LOG_LEVEL,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination,
  );
}
