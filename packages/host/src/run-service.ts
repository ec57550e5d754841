import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { keepFilesPrivate } from './data-folder.ts';
import { countLiveBuffers } from './garbage-collection.ts';
import type { RunningHost } from './host-options.ts';
import type { ServiceDefinition } from './host-parts.ts';
import { toldVersion } from './program-version.ts';
import { requireGit } from './required-git.ts';
import { programRevision } from './revision.ts';
import { failStart, stopOnSignals, tokenLine } from './run-host.ts';
import { type SplitHostOptions, startServiceHost } from './service-host.ts';
import { readSplitConfiguration, type SplitConfiguration } from './split-configuration.ts';
import { openSplitStores } from './split-stores.ts';

export function runHost(name: ServiceName, start: (options: SplitHostOptions) => Promise<RunningHost>): void {
  startWithSettings(name, start).catch(failStart);
}

export const runService = (definition: ServiceDefinition<SplitConfiguration>): void =>
  runHost(definition.name, (options) => startServiceHost(definition, options));

async function startWithSettings(
  name: ServiceName,
  start: (options: SplitHostOptions) => Promise<RunningHost>,
): Promise<void> {
  if (await toldVersion()) return;
  countLiveBuffers();
  const configuration = readSplitConfiguration(name, process.env);
  keepFilesPrivate(configuration.DATA_DIR);
  if (name === 'repo') await requireGit();
  const log = createLogger(configuration).child({ service: name });
  const ending = new AbortController();
  const starting = programRevision().then((revision) =>
    start({ configuration, log, revision, openStores: openSplitStores, signal: ending.signal }),
  );
  stopOnSignals(starting, { configuration, log, ending });
  const { address, madeToken } = await starting.catch((error: unknown) => {
    // The signal handler ends the process.
    if (ending.signal.aborted) return new Promise<never>(() => {});
    throw error;
  });
  if (madeToken) process.stdout.write(`${tokenLine(madeToken)}\n`);
  process.stdout.write(`Forgelog ${name} is ready on ${address}\n`);
}
