/*
 * The product's server with a defect in one projection: issues whose title is FAULT_TITLE cannot be projected into the
 * list of issues.
 */
import { openEmbeddedStores } from '@forgelog/infra/embedded-stores.ts';
import { startSystem } from '@forgelog/infra/system.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { issuesProjection } from '@forgelog/tracker/issues/issues.projection.ts';

const { project } = issuesProjection;
issuesProjection.project = async (event, documents) => {
  if ((event.data as { title?: string }).title === process.env.FAULT_TITLE) throw new Error('a defect');
  await project(event, documents);
};

const configuration = readConfiguration(process.env);
const log = createLogger(configuration);
const system = await startSystem({ configuration, log, openStores: openEmbeddedStores });
process.on('SIGTERM', () => void system.stop().then(() => process.exit(0)));
process.stdout.write(`Halting server is ready on ${system.address}\n`);
process.stdout.write('It takes a git push\n');
