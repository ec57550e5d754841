/* The product in a process that holds BALLAST megabytes of anonymous memory besides, as a server does after a while. */
import { openEmbeddedStores } from '@forgelog/infra/embedded-stores.ts';
import { startSystem } from '@forgelog/infra/system.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';

const MB = 1024 * 1024;

const configuration = readConfiguration(process.env);
const log = createLogger(configuration);
const system = await startSystem({ configuration, log, openStores: openEmbeddedStores });
// Written to, or the pages would not be there.
const ballast = Array.from({ length: Number(process.env.BALLAST) }, () => Buffer.alloc(MB, 1));
process.on('SIGTERM', () => void system.stop().then(() => process.exit(ballast.length > 0 ? 0 : 1)));
