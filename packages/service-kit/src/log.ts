import { type Logger, pino } from 'pino';
import type { Configuration } from './configuration.ts';

export type { Logger };

/** One JSON line an entry on standard output. What looks like a credential is cut out, whoever logs it. */
export function createLogger(
  configuration: Pick<Configuration, 'LOG_LEVEL'>,
  destination?: pino.DestinationStream,
): Logger {
  const options: pino.LoggerOptions = {
    level: configuration.LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['authorization', 'token', 'password', '*.authorization', '*.token', '*.password'],
      censor: '[cut]',
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
