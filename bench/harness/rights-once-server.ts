/* The product, except that it asks for rights in a project once and remembers them, to measure the cost of asking. */
import { startHost } from '@forgelog/host/start-host.ts';
import { allServices } from '@forgelog/infra/assembly.ts';
import { openEmbeddedStores } from '@forgelog/infra/embedded-stores.ts';
import type { Authorizer } from '@forgelog/service-kit/access.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';

const configuration = readConfiguration(process.env);
const remembered = new Map<string, ReturnType<Authorizer['project']>>();

const system = await startHost({
  ...{ configuration, log: createLogger(configuration), name: 'forgelog', ...allServices() },
  openStores: () => openEmbeddedStores(configuration),
  restrict: (rights) => ({
    ...rights,
    project(idOrPath, principal) {
      const name = `${principal?.userId} ${idOrPath}`;
      const grant = remembered.get(name) ?? rights.project(idOrPath, principal);
      remembered.set(name, grant);
      return grant;
    },
  }),
});
process.on('SIGTERM', () => void system.stop().then(() => process.exit(0)));
