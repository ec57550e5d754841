import type { AskedService } from '@forgelog/contracts/operation.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import type { Operations } from '@forgelog/service-kit/operations.ts';
import { remoteOperations } from '@forgelog/service-kit/split/remote-operations.ts';
import type { ServiceClient } from '@forgelog/service-kit/split/service-client.ts';
import type { SplitConfiguration } from './split-configuration.ts';

export function serviceOperations(ports: {
  client: ServiceClient;
  configuration: SplitConfiguration;
  position: () => Position;
}): Operations {
  const { configuration, ...others } = ports;
  const urls: Record<AskedService, readonly string[]> = {
    // Every instance has the read models of all projects.
    repo: [...configuration.REPO_URL.values()],
    tracker: [configuration.TRACKER_URL],
    ci: [configuration.CI_URL],
    admin: [configuration.ADMIN_URL],
  };
  return remoteOperations({ ...others, urlsOf: (service) => urls[service] });
}
