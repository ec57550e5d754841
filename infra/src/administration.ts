import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { listAdministrators, resetRoot, revokeToken } from '@forgelog/admin/administrators.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { AlreadyOpenError } from '@forgelog/eventing/adapters/sqlite/exclusive-lock.ts';
import { endingReadStore } from '@forgelog/eventing/ending-read-store.ts';
import { createProjectors, type Projectors } from '@forgelog/eventing/projector.ts';
import { keepFilesPrivate } from '@forgelog/host/data-folder.ts';
import { failStart } from '@forgelog/host/run-host.ts';
import {
  type Configuration,
  ConfigurationError,
  readConfiguration,
} from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { assemble } from './assembly.ts';
import { openEmbeddedStores, type Stores } from './embedded-stores.ts';
import { requireWholeLog } from './log-end.ts';

const USAGE = `Usage, while the server is stopped:
  npm run admin -- list-admins            who is an administrator, with the ids of their tokens
  npm run admin -- reset-root             unblocks root, makes them an administrator, and prints a new token of theirs
  npm run admin -- revoke-token <id>      ends the token with this id
  npm run admin -- revoke-token           ends the token that is typed in, or piped into it`;

/** `npm run admin -- …`: administers the data folder at DATA_DIR without the API. */
async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const work = commandOf(positionals);
  const configuration = readConfiguration(process.env);
  if (!existsSync(join(configuration.DATA_DIR, 'events.db')))
    throw new ConfigurationError(`DATA_DIR: ${configuration.DATA_DIR} holds no log. Name the data folder.`);
  keepFilesPrivate(configuration.DATA_DIR);
  const stores = await openEmbeddedStores(configuration).catch((error: unknown) => {
    if (!(error instanceof AlreadyOpenError)) throw error;
    throw new ConfigurationError(`The server runs: ${error.message}. Stop it, then try again.`);
  });
  try {
    process.stdout.write(`${await withPorts(stores, configuration, work)}\n`);
  } finally {
    await stores.readStore.close();
    await stores.store.close();
  }
}

type Work = (ports: ServicePorts) => Promise<string>;

/** @throws ConfigurationError with the usage */
function commandOf([name, argument, ...rest]: string[]): Work {
  const isId = argument === undefined || /^\d+$/.test(argument);
  if (name === 'revoke-token' && isId && rest.length === 0) return (ports) => revoke(argument, ports);
  if (name === 'list-admins' && argument === undefined) return list;
  if (name === 'reset-root' && argument === undefined) return reset;
  throw new ConfigurationError(USAGE);
}

async function list(ports: ServicePorts): Promise<string> {
  const found = await listAdministrators(ports);
  const lines = found.map(
    ({ id, username, state, tokenIds }) => `${id}\t${username}\t${state}\t${tokenIds.join(', ') || '-'}`,
  );
  return ['id\tusername\tstate\ttokens', ...lines].join('\n');
}

async function reset(ports: ServicePorts): Promise<string> {
  const { token, tokenId } = await resetRoot(ports).catch(
    refused('There is no user root, or they are deleted'),
  );
  return `root is an administrator and not blocked. Token ${tokenId}, shown only now: ${token}`;
}

/** The token itself is read from standard input: arguments are in the shell's history and in the list of processes. */
async function revoke(id: string | undefined, ports: ServicePorts): Promise<string> {
  const named = id ?? (await text(process.stdin)).trim();
  const tokenId = await revokeToken(named, ports).catch(refused('There is no such token'));
  return `Token ${tokenId} is revoked.`;
}

const refused = (sentence: string) => (error: unknown) => {
  throw error instanceof Rejection && error.code === 'not_found'
    ? new ConfigurationError(`${sentence}.`)
    : error;
};

/** Brings the read models to the end of the log first. Policies catch up when the server starts. */
async function withPorts(opened: Stores, configuration: Configuration, work: Work): Promise<string> {
  const log = createLogger(configuration);
  const stores = { ...opened, readStore: endingReadStore(opened.readStore, log, { deletes: false }) };
  let projectors: Projectors | undefined;
  const { catalogue, projections, policies, ports } = assemble({
    ...{ ...stores, configuration, log },
    caughtUp: (position) => projectors!.caughtUp(position),
  });
  await requireWholeLog(stores, { dataDir: configuration.DATA_DIR, projections, policies });
  projectors = createProjectors({ ...stores, catalogue, projections, log });
  try {
    await projectors.start();
    return await work(ports);
  } finally {
    await projectors.stop();
  }
}

main().catch(failStart);
