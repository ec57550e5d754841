import { AlreadyOpenError } from '@forgelog/eventing/adapters/sqlite/exclusive-lock.ts';
import { CorruptLogError, EventStoreUnavailableError } from '@forgelog/eventing/event-store.ts';
import { type Configuration, ConfigurationError } from '@forgelog/service-kit/configuration.ts';
import { flushLog, type Logger } from '@forgelog/service-kit/log.ts';
import { diskReason } from '@forgelog/service-kit/unavailable.ts';

/** Beyond the delay: longer than the drain of connections, shorter than the 10 s after which supervisors usually kill. */
const STOP_WITHIN_MS = 9_500;

export const tokenLine = (token: string): string =>
  `Administrator root, personal access token (shown only now): ${token}`;

/**
 * Exits with 0 after a clean stop, with 1 if the stop fails or takes too long.
 * Call it before readiness is printed: a supervisor may send a signal right after.
 * @param options.ending aborts a start in progress; without it a start runs to its end before it is stopped
 */
export function stopOnSignals(
  starting: Promise<{ stop(): Promise<void> }>,
  {
    configuration,
    log,
    ending,
  }: { configuration: Pick<Configuration, 'STOP_DELAY_SECONDS'>; log: Logger; ending?: AbortController },
): void {
  const withinMs = configuration.STOP_DELAY_SECONDS * 1_000 + STOP_WITHIN_MS;
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), withinMs).unref();
    ending?.abort();
    starting
      .then(
        (running) => running.stop(),
        (error: unknown) => {
          if (!ending) throw error;
        },
      )
      .then(
        () => 0,
        (error: unknown) => {
          log.error({ err: error }, 'did not stop cleanly');
          return 1;
        },
      )
      .then(async (code) => {
        await flushLog(log);
        process.exit(code);
      });
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  onHangUp(
    () => stop('SIGHUP'),
    () => log.info('SIGHUP ignored: there is nothing to reload, and SIGTERM stops'),
  );
}

/** Without a terminal that was closed, SIGHUP asks for nothing. */
export function onHangUp(ended: () => void, ignored: () => void = () => {}): void {
  process.on('SIGHUP', () => (process.stdout.isTTY ? ended() : ignored()));
}

/** Errors that the operator can fix: print the message without a stack. */
const EXPECTED = [ConfigurationError, AlreadyOpenError, CorruptLogError, EventStoreUnavailableError];

function startProblem(error: unknown): string {
  const { message, stack, cause } = error as Error;
  const reason = diskReason(error) ?? diskReason(cause);
  if (reason) return `DATA_DIR: ${reason} (${message}). Make room or repair it, and start again.`;
  return EXPECTED.some((kind) => error instanceof kind) ? message : String(stack);
}

/** Exits with 2 for a wrong setting, with 1 for anything else. */
export function failStart(error: unknown): never {
  process.stderr.write(`${startProblem(error)}\n`);
  process.exit(error instanceof ConfigurationError ? 2 : 1);
}
