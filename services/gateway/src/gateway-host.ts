import type { RunningHost } from '@forgelog/host/host-options.ts';
import { type SplitHostOptions, splitHost } from '@forgelog/host/service-host.ts';
import { startHost } from '@forgelog/host/start-host.ts';
import { remoteGitTransport } from '@forgelog/service-kit/split/remote-git-transport.ts';
import { gatewayEdge } from './gateway-edge.ts';
import { createRemoteDispatcher } from './remote-dispatcher.ts';
import { createServiceAddresses } from './service-addresses.ts';

export function startGatewayHost(options: SplitHostOptions): Promise<RunningHost> {
  const { configuration } = options;
  const { host, client } = splitHost('gateway', options);
  return startHost({
    ...host,
    services: [],
    edge: gatewayEdge(({ authorizer, position, log }, { dispatch }) => {
      const addresses = createServiceAddresses(configuration, { authorizer, log });
      return {
        dispatch: createRemoteDispatcher({
          client,
          own: dispatch,
          destination: addresses.endpoint,
          position,
        }),
        transport: remoteGitTransport({
          client,
          urlOf: addresses.repository,
          newRepository: addresses.newRepository,
          position,
        }),
      };
    }),
  });
}
