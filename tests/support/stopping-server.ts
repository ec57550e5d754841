/*
 * The product's server in a process that ends itself, and everything below it, in the middle of a change: FAULT_AT=
 * before|after the append of an event of type FAULT_OF, which by default is the one that records a change of refs. Each
 * time the same place, which no signal from outside can hit.
 */

import { childrenOf } from '@forgelog/git/testing/processes.ts';
import { openEmbeddedStores } from '@forgelog/infra/embedded-stores.ts';
import { startSystem } from '@forgelog/infra/system.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';

function end(): never {
  if (process.env.FAULT_ALONE !== 'yes') for (const { pid } of childrenOf(process.pid)) kill(pid);
  process.kill(process.pid, 'SIGKILL');
  throw new Error('still here');
}

const configuration = readConfiguration(process.env);
const fatal = process.env.FAULT_OF ?? 'RefUpdated';
const { address } = await startSystem({
  configuration,
  log: createLogger(configuration),
  async openStores(given) {
    const stores = await openEmbeddedStores(given);
    const { append } = stores.store;
    stores.store.append = async (stream, expected, events) => {
      const isFatal = events.some(({ type }) => type === fatal);
      if (isFatal && process.env.FAULT_AT === 'before') end();
      const appended = await append(stream, expected, events);
      if (isFatal && process.env.FAULT_AT === 'after') end();
      return appended;
    };
    return stores;
  },
});
process.stdout.write(`Stopping server is ready on ${address}\n`);
process.stdout.write('It takes a git push\n');

/** One that ends with the one above it may be gone already. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
