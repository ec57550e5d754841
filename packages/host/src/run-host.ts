import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import { AlreadyOpenError } from '@forgelog/eventing/adapters/sqlite/exclusive-lock.ts';
import { CorruptLogError, EventStoreUnavailableError } from '@forgelog/eventing/event-store.ts';
import { ConfigurationError } from '@forgelog/service-kit/configuration.ts';
import { createLogger, flushLog, type Logger } from '@forgelog/service-kit/log.ts';
import { diskReason } from '@forgelog/service-kit/unavailable.ts';
import { keepFilesPrivate } from './data-folder.ts';
import { countLiveBuffers } from './garbage-collection.ts';
import type { RunningHost } from './host-options.ts';
import type { ServiceDefinition } from './host-parts.ts';
import { requireGit } from './required-git.ts';
import { programRevision } from './revision.ts';
import { type SplitHostOptions, startServiceHost } from './service-host.ts';
import { readSplitConfiguration, type SplitConfiguration } from './split-configuration.ts';
import { openSplitStores } from './split-stores.ts';

/** Longer than the drain of connections, shorter than the 10 s after which supervisors usually kill. */
const STOP_WITHIN_MS = 9_500;

export function runHost(name: ServiceName, start: (options: SplitHostOptions) => Promise<RunningHost>): void {
  startWithSettings(name, start).catch(failStart);
}

export const runService = (definition: ServiceDefinition<SplitConfiguration>): void =>
  runHost(definition.name, (options) => startServiceHost(definition, options));

async function startWithSettings(
  name: ServiceName,
  start: (options: SplitHostOptions) => Promise<RunningHost>,
): Promise<void> {
  countLiveBuffers();
  const configuration = readSplitConfiguration(name, process.env);
  keepFilesPrivate(configuration.DATA_DIR);
  if (name === 'repo') await requireGit();
  const log = createLogger(configuration).child({ service: name });
  const ending = new AbortController();
  const starting = programRevision().then((revision) =>
    start({ configuration, log, revision, openStores: openSplitStores, signal: ending.signal }),
  );
  stopOnSignals(starting, log, ending);
  const { address, madeToken } = await starting.catch((error: unknown) => {
    // The signal handler ends the process.
    if (ending.signal.aborted) return new Promise<never>(() => {});
    throw error;
  });
  if (madeToken) process.stdout.write(`${tokenLine(madeToken)}\n`);
  process.stdout.write(`Forgelog ${name} is ready on ${address}\n`);
}

export const tokenLine = (token: string): string =>
  `Administrator root, personal access token (shown only now): ${token}`;

/**
 * Exits with 0 after a clean stop, with 1 if the stop fails or takes too long.
 * Call it before readiness is printed: a supervisor may send a signal right after.
 * @param ending aborts a start in progress; without it a start runs to its end before it is stopped
 */
export function stopOnSignals(
  starting: Promise<{ stop(): Promise<void> }>,
  log: Logger,
  ending?: AbortController,
): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
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
