/* Rebuilds the read models of DATA_DIR from the log on each message, and reports events per second. */

import { rebuildReadModels } from '@forgelog/eventing/rebuild.ts';
import { assemble } from '@forgelog/infra/assembly.ts';
import { openEmbeddedStores } from '@forgelog/infra/embedded-stores.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';

const configuration = readConfiguration(process.env);
const { store, readStore } = await openEmbeddedStores(configuration);
const { catalogue, projections, policies } = assemble({
  store,
  readStore,
  configuration,
  log: createLogger(configuration),
  externalUrl: 'http://forgelog.example',
});

process.on('message', async (question) => {
  if (question !== 'rebuild') return;
  const begin = performance.now();
  const names = policies.map(({ name }) => name);
  const { events } = await rebuildReadModels({ store, readStore, catalogue, projections, policies: names });
  process.send?.(events / ((performance.now() - begin) / 1000));
});
process.on('disconnect', () => process.exit(0));
