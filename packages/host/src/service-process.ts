import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import type { Peers, ServicePorts } from '@forgelog/directory/service-ports.ts';
import { createCursors } from '@forgelog/service-kit/cursor.ts';
import { createDispatcher } from '@forgelog/service-kit/dispatcher.ts';
import { logFailure } from '@forgelog/service-kit/failure-log.ts';
import type { GitTransport } from '@forgelog/service-kit/git-transport.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import { createReferenceResolver } from '@forgelog/service-kit/references.ts';
import { checkImplementations, type Service } from '@forgelog/service-kit/service.ts';
import { createServiceApp } from '@forgelog/service-kit/split/service-app.ts';
import { tracedGitTransport } from '@forgelog/service-kit/telemetry/traced-git-transport.ts';
import { ownStorageOnly } from './own-storage.ts';
import { type ProcessOptions, type RunningProcess, startProcess } from './process.ts';
import type { SplitConfiguration } from './split-configuration.ts';

/** A service as its own process offers it. */
export interface ServiceDefinition {
  name: Exclude<ServiceName, 'gateway'>;
  create(
    ports: ServicePorts,
    configuration: SplitConfiguration,
  ): Service & { transport?: GitTransport; peer?: Partial<Peers> };
  /** What has to be there before the first request, made by the first replica alone. Says what to print. */
  firstStart?(ports: ServicePorts): Promise<string | null>;
}

/** Starts a service by itself: it answers the gateway and its peers, and nobody else. */
export function startServiceProcess(
  definition: ServiceDefinition,
  options: ProcessOptions,
): Promise<RunningProcess> {
  const { configuration, log } = options;
  return startProcess(definition.name, options, (base) => {
    const { directory, ports, tokens, settled, health, telemetry } = base;
    const service = definition.create(ports, configuration);
    checkImplementations(service, endpoints);
    const rights = createAuthorizer(directory);
    const authorizer =
      definition.name === 'repo' ? ownStorageOnly(rights, { storage: configuration.STORAGE, log }) : rights;
    const dispatch = createDispatcher({
      cursors: createCursors(lazyInstanceKey(configuration)),
      services: [service],
      authorizer,
      resolver: createReferenceResolver([...directory.references, ...(service.references ?? [])]),
      clock: base.clock,
      externalUrl: configuration.EXTERNAL_URL,
      onError: logFailure(log),
      observe: options.observe,
      tracer: telemetry.tracer,
    });
    return {
      service,
      handler: createServiceApp({
        service: definition.name,
        endpoints,
        tokens,
        dispatch,
        settled,
        health,
        authorizer,
        git: service.transport && tracedGitTransport(service.transport, telemetry.tracer),
        peer: service.peer,
        log,
      }),
      async prepare() {
        if (configuration.REPLICA !== 0) return;
        const told = await definition.firstStart?.(ports);
        if (told) process.stdout.write(`${told}\n`);
      },
    };
  });
}
