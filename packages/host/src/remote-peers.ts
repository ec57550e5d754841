import type { Peers } from '@forgelog/directory/service-ports.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import { createPeerCall } from '@forgelog/service-kit/split/peer-call.ts';
import type { ServiceClient } from '@forgelog/service-kit/split/service-client.ts';
import type { SplitConfiguration } from './split-configuration.ts';

/** What services ask of each other, over HTTP: a line an operation. */
export function remotePeers(ports: {
  client: ServiceClient;
  configuration: Pick<SplitConfiguration, 'REPO_URL'>;
  position: () => Position;
}): Peers {
  const { client, configuration, position } = ports;
  const repo = createPeerCall({
    client,
    service: 'repo',
    // Every instance has the read models of all projects.
    urls: [...configuration.REPO_URL.values()],
    position,
  });
  return { projectsOfGroup: (request) => repo('projectsOfGroup', request) };
}
