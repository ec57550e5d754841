import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { integrityProblems } from '@forgelog/eventing/adapters/sqlite/integrity.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { assemble } from '../assembly.ts';
import { openEmbeddedStores, type Stores } from '../embedded-stores.ts';
import type { Report } from './report.ts';
import { verifyLog } from './verify-log.ts';
import { verifyAudit, verifyReadModels } from './verify-read-models.ts';
import { verifyRepositories } from './verify-repositories.ts';

/** Silent: nothing is started. */
const log = createLogger({ LOG_LEVEL: 'silent' });

/**
 * Verifies the data folder of a stopped server: log, read models, audit events and repositories. With `repair` it first
 * repairs the repositories from the log, and reports each repair as a problem.
 */
export async function verifyDataFolder(
  dataDir: string,
  report: Report,
  { repair = false }: { repair?: boolean } = {},
): Promise<void> {
  const file = (name: string) => join(dataDir, name);
  const isThere = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );
  report.part('files');
  if (!(await isThere(file('events.db')))) return report.problem(`${dataDir} holds no log (events.db).`);
  for (const name of ['events.db', 'read-models.db']) {
    if (!(await isThere(file(name)))) report.note(`there is no ${name}: the next start makes it`);
    else for (const text of integrityProblems(file(name))) report.problem(`${name} is damaged: ${text}`);
  }
  if (report.problems.length > 0)
    return report.note(
      'put events.db back from a copy; read models that are damaged are made anew at the start',
    );

  let stores: Stores;
  try {
    stores = await openEmbeddedStores({ DATA_DIR: dataDir });
  } catch (error) {
    return report.problem(`The data folder cannot be opened: ${(error as Error).message}`);
  }
  const { store, readStore } = stores;
  try {
    const configuration = readConfiguration({ DATA_DIR: dataDir });
    const { catalogue, projections, policies, ports } = assemble({
      store,
      readStore,
      configuration,
      log,
    });
    report.part('log');
    const contents = await verifyLog(store, catalogue, report);
    if (contents === null) return;
    report.part('read models');
    const names = policies.map(({ name }) => name);
    await verifyReadModels({ store, readStore, catalogue, projections, policies: names }, report);
    report.part('audit');
    await verifyAudit(readStore, contents, report);
    report.part('repositories');
    const { commands } = ports;
    await verifyRepositories({ root: file('repositories'), contents, commands, log, repair }, report);
  } finally {
    await readStore.close();
    await store.close();
  }
}
