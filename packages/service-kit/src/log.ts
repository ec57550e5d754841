import { withDeadline } from '@forgelog/eventing/deadline.ts';
import { type Logger, pino } from 'pino';
import type { Configuration } from './configuration.ts';
import { type ExporterSettings, exportedSignals } from './telemetry/exporters.ts';
import { createLogExport } from './telemetry/log-export.ts';

export type { Logger };

/** Bytes after which waiting lines are written; a timer writes them earlier. */
const BATCH_BYTES = 32_768;
const LATEST_MS = 100;
/** Bytes that may wait while nobody reads; further lines are dropped. */
const MAX_PENDING_BYTES = 16 * 1024 * 1024;
const LONGEST_FLUSH_MS = 500;
/** Attempts to write the rest at the end of the process, 100 ms apart. */
const EXIT_RETRIES = 10;

/** Writes JSON lines asynchronously. Headers, queries and bodies are never logged, so nothing needs redaction. */
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
    log.warn({ lines }, 'log lines dropped: standard output was not read');
  });
  return log;
}

/** Resolves when pending lines are written or cannot be, at most half a second later; call it before an exit. */
export const flushLog = (log: Logger): Promise<void> =>
  withDeadline(
    new Promise<void>((resolve) => log.flush(() => resolve())),
    LONGEST_FLUSH_MS,
    () => new Error('late'),
  ).catch(() => {});

/** pino's time field, formatted once per millisecond. */
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
  let exitRetries = 0;
  // Runs before pino's own listener, which would retry forever while nobody reads.
  process.prependOnceListener('exit', () => {
    isEnding = true;
    try {
      destination.flushSync();
    } catch {
      // Nobody reads the log, so the error cannot be reported.
    }
    destination.destroy();
  });
  const destination = pino.destination({
    fd: 1,
    sync: false,
    minLength: BATCH_BYTES,
    maxWrite: 2 * BATCH_BYTES,
    maxLength: MAX_PENDING_BYTES,
    periodicFlush: LATEST_MS,
    retryEAGAIN: () => !isEnding || ++exitRetries <= EXIT_RETRIES,
  });
  // A full disk or a closed reader must not stop the service.
  destination.on('error', () => {});
  return destination;
}
