import { join } from 'node:path';
import { readSplitConfiguration } from '@forgelog/host/split-configuration.ts';
import { openSplitStores } from '@forgelog/host/split-stores.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { assemble } from '../assembly.ts';
import type { Report } from './report.ts';
import { verifyLog } from './verify-log.ts';
import { verifyAudit, verifyReadModels } from './verify-read-models.ts';
import { verifyRepositories } from './verify-repositories.ts';

export interface SplitFolder {
  dataDir: string;
  eventstoreUrl: string;
  /** MongoDB with the read models; without it they are SQLite files in the data folder. */
  mongodbUrl?: string | undefined;
}

const SERVICES = ['gateway', 'repo', 'tracker', 'ci', 'admin'] as const;
const log = createLogger({ LOG_LEVEL: 'silent' });

/**
 * Verifies the shared log and repositories, and the read models of each service's first replica. The services must be
 * stopped, their log and MongoDB running.
 */
export async function verifySplitFolder(
  { dataDir, eventstoreUrl, mongodbUrl }: SplitFolder,
  report: Report,
): Promise<void> {
  for (const service of SERVICES) {
    const configuration = readSplitConfiguration(service, {
      DATA_DIR: dataDir,
      EVENTSTORE_URL: eventstoreUrl,
      MONGODB_URL: mongodbUrl,
      SECRET_KEY: 'no request is made with this key',
    });
    const { store, readStore, registers } = await openSplitStores(configuration, service);
    try {
      const { catalogue, directory, services, ports } = assemble({
        ...{ store, readStore, configuration, log },
      });
      const own = services.find(({ name }) => name === service)!;
      const projections = [...directory.projections, ...own.projections];
      report.part(service);
      await verifyReadModels({ store, readStore, catalogue, projections, policies: [] }, report);
      if (service !== 'repo' && service !== 'admin') continue;
      report.part(service === 'repo' ? 'log' : 'audit');
      const contents = await verifyLog(store, catalogue, report);
      if (contents === null) return;
      if (service === 'admin') await verifyAudit(readStore, contents, report);
      else {
        report.part('repositories');
        const { commands } = ports;
        await verifyRepositories({ root: join(dataDir, 'repositories'), contents, commands, log }, report);
      }
    } finally {
      await registers?.close();
      await readStore.close();
      await store.close();
    }
  }
}
