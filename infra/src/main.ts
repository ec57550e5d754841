import { AlreadyOpenError } from '@forgelog/eventing/adapters/sqlite/exclusive-lock.ts';
import { CorruptLogError, EventStoreUnavailableError } from '@forgelog/eventing/event-store.ts';
import { ConfigurationError, readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { openEmbeddedStores } from './embedded-stores.ts';
import { requireGit } from './required-git.ts';
import { type System, startSystem } from './system.ts';

/** What is for whoever runs it to put right: words without a stack. */
const EXPECTED = [ConfigurationError, AlreadyOpenError, CorruptLogError, EventStoreUnavailableError];

/** `npm start`: everything in one process. */
async function main(): Promise<void> {
  const configuration = readConfiguration(process.env);
  const log = createLogger(configuration);
  await requireGit();
  const starting = startSystem({ configuration, log, openStores: openEmbeddedStores });
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), 9500).unref();
    // A start is ended by a stop as any other time is: half a start would leave more to mend.
    starting
      .then((system) => system.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'did not stop cleanly');
          process.exit(1);
        },
      );
  };
  // Before anything can be asked to end: whoever reads that it is ready may ask at once.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  greet(await starting);
}

function greet({ externalUrl, madeToken }: System): void {
  const token = madeToken ?? '<your token>';
  const lines = [
    '',
    `Forgelog is ready on ${externalUrl}`,
    ...(madeToken ? [`Administrator root, personal access token (shown only now): ${madeToken}`] : []),
    'Try:',
    `  curl -H 'PRIVATE-TOKEN: ${token}' ${externalUrl}/api/v4/user`,
    `  curl -H 'PRIVATE-TOKEN: ${token}' -d name=hello ${externalUrl}/api/v4/projects`,
    `  git push ${externalUrl.replace('://', `://root:${token}@`)}/root/hello.git HEAD:main`,
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

main().catch((error: unknown) => {
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  process.stderr.write(`${isExpected ? (error as Error).message : (error as Error).stack}\n`);
  process.exit(error instanceof ConfigurationError ? 2 : 1);
});
