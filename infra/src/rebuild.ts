import { BEGINNING } from '@forgelog/eventing/event.ts';
import { beginEpoch } from '@forgelog/eventing/log-identity.ts';
import { rebuildReadModels } from '@forgelog/eventing/rebuild.ts';
import { keepFilesPrivate } from '@forgelog/host/data-folder.ts';
import { KAFKA } from '@forgelog/host/kafka-relay.ts';
import { lostEvents } from '@forgelog/host/lost-events.ts';
import { codeIndexFile, removeCodeIndex } from '@forgelog/repo/code-index/code-index-file.ts';
import { ConfigurationError, readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { assemble } from './assembly.ts';
import { openEmbeddedStores } from './embedded-stores.ts';
import { epochLine } from './epoch-line.ts';

/** `npm run rebuild`: builds new read models from the log beside the live ones, and swaps them in. */
async function main(): Promise<void> {
  const configuration = readConfiguration(process.env);
  keepFilesPrivate(configuration.DATA_DIR);
  const { store, readStore } = await openEmbeddedStores(configuration);
  try {
    const { catalogue, projections, policies } = assemble({
      store,
      readStore,
      configuration,
      log: createLogger(configuration),
    });
    const lost = await lostEvents({ store, readStore }, { projections, policies });
    if (lost && lost.head !== BEGINNING) {
      // Now, because the rebuilt read models do not show that events were lost.
      const { after } = await beginEpoch({ store, catalogue, clock: () => new Date() });
      process.stdout.write(epochLine(after));
    }
    const interactive = process.stdout.isTTY;
    let told = 0;
    const { events } = await rebuildReadModels({
      store,
      readStore,
      catalogue,
      projections,
      policies: policies.map(({ name }) => name),
      feeds: [KAFKA],
      end: lost?.head,
      onProgress({ events: done }) {
        if (interactive) process.stdout.write(`\r${done} events`);
        else if (done - told >= 100_000) {
          told = done;
          process.stdout.write(`${done} events\n`);
        }
      },
    });
    // The next start makes it of the repositories.
    removeCodeIndex(codeIndexFile(configuration.DATA_DIR));
    process.stdout.write(`${interactive ? '\r' : ''}The read models are rebuilt from ${events} events.\n`);
  } finally {
    await readStore.close();
    await store.close();
  }
}

main().catch((error: unknown) => {
  const { message, stack } = error as Error;
  process.stderr.write(`${error instanceof ConfigurationError ? message : stack}\n`);
  process.exit(1);
});
