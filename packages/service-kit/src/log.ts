import { withDeadline } from '@forgelog/eventing/deadline.ts';
import { type Logger, pino } from 'pino';
import type { Configuration } from './configuration.ts';
import { type ExporterSettings, exportedSignals } from './telemetry/exporters.ts';
import { createLogExport } from './telemetry/log-export.ts';

export type { Logger };

/** Lines are written together once so many bytes wait, and at the latest after this time. */
const TOGETHER = 32_768;
const LATEST_MS = 100;
/** While nobody reads, so many bytes wait; lines that come then are left out. */
const MOST = 16 * 1024 * 1024;
const LONGEST_FLUSH_MS = 500;
/** How often the end of the process tries to write what waits, 100 ms apart. */
const LAST_TRIES = 10;

/**
 * One JSON line an entry on standard output, written off the event loop. No header, query or body is ever logged, so there
 * is nothing to redact.
 */
export function createLogger(configuration: Pick<Configuration, 'LOG_LEVEL'> & ExporterSettings): Logger {
  const { LOG_LEVEL: level } = configuration;
  if (level === 'silent') return pino({ enabled: false });
  const options = { level, base: null, timestamp: createTimestamp() };
  const destination = createDestination();
  const log = exportedSignals(configuration).logs
    ? pino(
        options,
        pino.multistream([
          { level: 'trace', stream: destination },
          { level: 'trace', stream: createLogExport() },
        ]),
      )
    : pino(options, destination);

  let leftOut = 0;
  destination.on('drop', () => leftOut++);
  destination.on('drain', () => {
    if (leftOut === 0) return;
    const lines = leftOut;
    leftOut = 0;
    log.warn({ lines }, 'log lines left out: standard output was not read');
  });
  return log;
}

/** Resolves when the lines so far are written, or cannot be: for the end of the process, within half a second. */
export const flushLog = (log: Logger): Promise<void> =>
  withDeadline(
    new Promise<void>((resolve) => log.flush(() => resolve())),
    LONGEST_FLUSH_MS,
    () => new Error('late'),
  ).catch(() => {});

/** The time as pino wants it, formatted once a millisecond: the lines of one share it. */
function createTimestamp(): () => string {
  let last = Number.NaN;
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

function createDestination() {
  let isEnding = false;
  let lastTries = 0;
  // Before pino's own listener, which would try for ever where nobody reads.
  process.prependOnceListener('exit', () => {
    isEnding = true;
    try {
      destination.flushSync();
    } catch {
      // Nobody reads: there is nowhere to say so.
    }
    destination.destroy();
  });
  const destination = pino.destination({
    fd: 1,
    sync: false,
    minLength: TOGETHER,
    maxWrite: 2 * TOGETHER,
    maxLength: MOST,
    periodicFlush: LATEST_MS,
    retryEAGAIN: () => !isEnding || ++lastTries <= LAST_TRIES,
  });
  // A disk that is full, or a reader that is gone: the service goes on without its log.
  destination.on('error', () => {});
  return destination;
}
