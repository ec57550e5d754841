/*
 * The product's server in a process that packs the repository of the first project all the time, as if each commit and
 * each push were one too many.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGit } from '@forgelog/git/git.ts';
import { openEmbeddedStores } from '@forgelog/infra/embedded-stores.ts';
import { startSystem } from '@forgelog/infra/system.ts';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';

const configuration = readConfiguration(process.env);
const log = createLogger(configuration);
const { address } = await startSystem({ configuration, log, openStores: openEmbeddedStores });
process.stdout.write(`Packing server is ready on ${address}\n`);
process.stdout.write('It takes a git push\n');

const git = createGit({ root: join(configuration.DATA_DIR, 'repositories') });
const repository = git.repository(repositoryPath(1));
while (!(await repository.exists())) await sleep(10);
for (;;) await repository.pack({ looseObjects: 1, packs: 1 });
