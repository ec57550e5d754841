import type { AskedService } from '@forgelog/contracts/operation.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import type { Operations } from '@forgelog/service-kit/operations.ts';
import { remoteOperations } from '@forgelog/service-kit/split/remote-operations.ts';
import type { ServiceClient } from '@forgelog/service-kit/split/service-client.ts';
import { unavailable } from '@forgelog/service-kit/unavailable.ts';
import type { SplitConfiguration } from './split-configuration.ts';

const RETRY_S = 5;

export function serviceOperations(ports: {
  client: ServiceClient;
  configuration: SplitConfiguration;
  position: () => Position;
  directory: Pick<Directory, 'project'>;
}): Operations {
  const { configuration, directory, ...others } = ports;
  const storages = configuration.REPO_URL;
  const urls: Record<AskedService, readonly string[]> = {
    // Every instance has the read models of all projects.
    repo: [...storages.values()],
    tracker: [configuration.TRACKER_URL],
    ci: [configuration.CI_URL],
    admin: [configuration.ADMIN_URL],
  };
  return remoteOperations({
    ...others,
    async urlsOf({ service, readsRepository }, request) {
      if (!readsRepository) return urls[service];
      const project = await directory.project((request as { projectId: number }).projectId);
      // Any instance can say that there is no such project.
      if (!project) return urls[service];
      const url = storages.get(project.storage);
      if (url === undefined) throw unavailable('the storage of this repository cannot be reached', RETRY_S);
      return [url];
    },
  });
}
