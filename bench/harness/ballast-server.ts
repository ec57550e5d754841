/* The product in a process with BALLAST megabytes of additional anonymous memory, like a long-running server. */
import { openEmbeddedStores } from '@forgelog/infra/embedded-stores.ts';
import { startSystem } from '@forgelog/infra/system.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';

const MB = 1024 * 1024;

const configuration = readConfiguration(process.env);
const log = createLogger(configuration);
const system = await startSystem({ configuration, log, openStores: openEmbeddedStores });
// Filled, so that the pages are resident.
const ballast = Array.from({ length: Number(process.env.BALLAST) }, () => Buffer.alloc(MB, 1));
process.on('SIGTERM', () => void system.stop().then(() => process.exit(ballast.length > 0 ? 0 : 1)));
