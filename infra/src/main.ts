import { keepFilesPrivate, requireDataFolder } from '@forgelog/host/data-folder.ts';
import { countLiveBuffers } from '@forgelog/host/garbage-collection.ts';
import { toldVersion } from '@forgelog/host/program-version.ts';
import { requireGit } from '@forgelog/host/required-git.ts';
import { programRevision } from '@forgelog/host/revision.ts';
import { failStart, stopOnSignals, tokenLine } from '@forgelog/host/run-host.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { openEmbeddedStores } from './embedded-stores.ts';
import type { System } from './system.ts';

/** `npm start`: runs everything in one process. */
async function main(): Promise<void> {
  if (await toldVersion()) return;
  countLiveBuffers();
  const configuration = readConfiguration(process.env);
  keepFilesPrivate(configuration.DATA_DIR);
  const log = createLogger(configuration);
  await requireDataFolder(configuration.DATA_DIR);
  await requireGit();
  // The services are most of the program: what is wrong with its surroundings is told without loading them.
  const starting = Promise.all([import('./system.ts'), programRevision()]).then(
    ([{ startSystem }, revision]) =>
      startSystem({ configuration, log, revision, openStores: openEmbeddedStores }),
  );
  stopOnSignals(starting, { configuration, log });
  greet(await starting);
}

function greet({ externalUrl, madeToken }: System): void {
  const token = madeToken ?? '<your token>';
  const lines = [
    '',
    `Forgelog is ready on ${externalUrl}`,
    ...(madeToken ? [tokenLine(madeToken)] : []),
    'Try:',
    `  curl -H 'PRIVATE-TOKEN: ${token}' ${externalUrl}/api/v4/user`,
    `  curl -H 'PRIVATE-TOKEN: ${token}' -d name=hello ${externalUrl}/api/v4/projects`,
    `  git push ${externalUrl.replace('://', `://root:${token}@`)}/root/hello.git HEAD:main`,
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

main().catch(failStart);
