import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import { AlreadyOpenError } from '@forgelog/eventing/adapters/sqlite/exclusive-lock.ts';
import { CorruptLogError, EventStoreUnavailableError } from '@forgelog/eventing/event-store.ts';
import { ConfigurationError } from '@forgelog/service-kit/configuration.ts';
import { createLogger, flushLog, type Logger } from '@forgelog/service-kit/log.ts';
import type { RunningHost } from './host-options.ts';
import type { ServiceDefinition } from './host-parts.ts';
import { programRevision } from './revision.ts';
import { type SplitHostOptions, startServiceHost } from './service-host.ts';
import { readSplitConfiguration, type SplitConfiguration } from './split-configuration.ts';
import { openSplitStores } from './split-stores.ts';

/** Longer than connections are drained for, shorter than whoever stops a process waits before he kills it. */
const STOP_WITHIN_MS = 9_500;

/** Runs one service until a signal ends it: `node services/<name>/src/main.ts`. */
export function runHost(name: ServiceName, start: (options: SplitHostOptions) => Promise<RunningHost>): void {
  startWithSettings(name, start).catch(failStart);
}

export const runService = (definition: ServiceDefinition<SplitConfiguration>): void =>
  runHost(definition.name, (options) => startServiceHost(definition, options));

async function startWithSettings(
  name: ServiceName,
  start: (options: SplitHostOptions) => Promise<RunningHost>,
): Promise<void> {
  const configuration = readSplitConfiguration(name, process.env);
  const log = createLogger(configuration).child({ service: name });
  const ending = new AbortController();
  const starting = programRevision().then((revision) =>
    start({ configuration, log, revision, openStores: openSplitStores, signal: ending.signal }),
  );
  stopOnSignals(starting, log, ending);
  const { address, madeToken } = await starting.catch((error: unknown) => {
    // Whoever ended it sees to the rest.
    if (ending.signal.aborted) return new Promise<never>(() => {});
    throw error;
  });
  if (madeToken) process.stdout.write(`${tokenLine(madeToken)}\n`);
  process.stdout.write(`Forgelog ${name} is ready on ${address}\n`);
}

/** What a start says of the token that it made. */
export const tokenLine = (token: string): string =>
  `Administrator root, personal access token (shown only now): ${token}`;

/**
 * Ends the process with 0 once everything is stopped, with 1 where that fails or takes too long. To be called before
 * anything can be asked to end: whoever reads that it is ready may ask at once. `ending` is told where a start that is
 * under way can be given up; without it a start is ended when it is done.
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
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
}

/** What is for whoever runs it to put right: words without a stack. */
const EXPECTED = [ConfigurationError, AlreadyOpenError, CorruptLogError, EventStoreUnavailableError];

/** Ends the process with 2 for a wrong setting, with 1 for anything else. */
export function failStart(error: unknown): never {
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  process.stderr.write(`${isExpected ? (error as Error).message : (error as Error).stack}\n`);
  process.exit(error instanceof ConfigurationError ? 2 : 1);
}
