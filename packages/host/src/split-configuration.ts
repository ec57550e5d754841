import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import {
  type Configuration,
  ConfigurationError,
  readSettings,
  settings,
} from '@forgelog/service-kit/configuration.ts';
import { z } from 'zod';

/** Where each service listens unless told otherwise, and where the others then look for it. */
export const DEFAULT_PORTS: Readonly<Record<ServiceName, number>> = {
  gateway: 8080,
  repo: 8081,
  tracker: 8082,
  ci: 8083,
  admin: 8084,
};

const at = (service: ServiceName) => `http://127.0.0.1:${DEFAULT_PORTS[service]}`;
const address = z.url({ protocol: /^http$/ }).transform((url) => url.replace(/\/+$/, ''));
/** What databases and folders can be named after. */
const STORAGE = /^[a-z0-9][a-z0-9_-]{0,31}$/;
const NAMED = /^([^=:/]+)=(\S+)$/;

/** One address, or `storage=address` for each storage, separated by commas. */
const shards = z.string().transform((text, context): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const part of text.split(',').map((each) => each.trim())) {
    const [, storage = 'default', url = part] = NAMED.exec(part) ?? [];
    const parsed = address.safeParse(url);
    const problem = !parsed.success
      ? `${part} is no address`
      : !STORAGE.test(storage)
        ? `${storage} is no name of a storage: 1 to 32 of a-z, 0-9, - and _`
        : found.has(storage) && `the storage ${storage} is named twice`;
    if (problem) context.addIssue({ code: 'custom', message: problem });
    else found.set(storage, parsed.data!);
  }
  if (!found.has('default'))
    context.addIssue({ code: 'custom', message: 'the storage default has no address' });
  return found;
});

const splitSettings = settings.extend({
  /** Every process makes and checks signatures with it: they must all have the same one. */
  SECRET_KEY: z.string('is required where services run apart').min(32, 'must have 32 characters at least'),
  EXTERNAL_URL: settings.shape.EXTERNAL_URL.default(at('gateway')),
  EVENTSTORE_URL: z.string().min(1).optional(),
  MONGODB_URL: z.string().min(1).optional(),
  REPO_URL: shards.default(new Map([['default', at('repo')]])),
  /** Which of them this instance of repo holds. */
  STORAGE: z.string().default('default'),
  TRACKER_URL: address.default(at('tracker')),
  CI_URL: address.default(at('ci')),
  ADMIN_URL: address.default(at('admin')),
  /** Number of this replica of the service, from 0 on: each has read models of its own. */
  REPLICA: z.coerce.number().int().min(0).max(999).default(0),
});

export type SplitConfiguration = z.output<typeof splitSettings> & Configuration;

/** @throws ConfigurationError with a line for each wrong setting */
export function readSplitConfiguration(
  service: ServiceName,
  environment: Readonly<Record<string, string | undefined>>,
): SplitConfiguration {
  const read = readSettings(splitSettings, {
    PORT: String(DEFAULT_PORTS[service]),
    ...withoutEmpty(environment),
  });
  if (service === 'repo') requireStorage(read);
  return read;
}

function requireStorage({ STORAGE: own, REPO_URL, REPLICA }: SplitConfiguration): void {
  if (!REPO_URL.has(own))
    throw new ConfigurationError(`STORAGE: ${own} is none of REPO_URL (${[...REPO_URL.keys()].join(', ')})`);
  if (REPLICA !== 0)
    throw new ConfigurationError('REPLICA: must be 0 in repo, of which one instance holds a storage');
}

/** What tells this process's read models from those of every other one. */
export const replicaName = (service: ServiceName, { STORAGE: own, REPLICA }: SplitConfiguration): string =>
  service === 'repo' && own !== 'default' ? `${service}_${own}_${REPLICA}` : `${service}_${REPLICA}`;

const withoutEmpty = (environment: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
