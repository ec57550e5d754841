import { policyCheckpoint } from '@forgelog/eventing/policy.ts';
import { assemble } from '@forgelog/infra/assembly.ts';
import { openEmbeddedStores } from '@forgelog/infra/embedded-stores.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';

/**
 * Lets every policy begin at the end of the log in a folder that no product has open. What they do about events that a
 * benchmark wrote, such as to-do items, would otherwise count as the cost of what it measures.
 */
export async function policiesAtEnd(folder: string): Promise<void> {
  const configuration = readConfiguration({ DATA_DIR: folder });
  const { store, readStore } = await openEmbeddedStores(configuration);
  const log = createLogger(configuration);
  const externalUrl = 'http://forgelog.example';
  const { policies } = assemble({ store, readStore, configuration, log, externalUrl });
  const head = await store.head();
  const checkpoints = new Map(policies.map(({ name }) => [policyCheckpoint(name), head]));
  await readStore.write({ changes: [], checkpoints });
  await readStore.close();
  await store.close();
}
