import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import {
  type Configuration,
  ConfigurationError,
  readSettings,
  settings,
} from '@forgelog/service-kit/configuration.ts';
import { z } from 'zod';

export const DEFAULT_PORTS: Readonly<Record<ServiceName, number>> = {
  gateway: 8080,
  repo: 8081,
  tracker: 8082,
  ci: 8083,
  admin: 8084,
};

const at = (service: ServiceName) => `http://127.0.0.1:${DEFAULT_PORTS[service]}`;
const address = z.url({ protocol: /^http$/ }).transform((url) => url.replace(/\/+$/, ''));
/** Valid in names of databases and folders. */
const STORAGE = /^[a-z0-9][a-z0-9_-]{0,31}$/;
const NAMED = /^([^=:/]+)=(\S+)$/;

/** One address, or comma-separated `storage=address` pairs. */
const shards = z.string().transform((text, context): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const part of text.split(',').map((each) => each.trim())) {
    const [, storage = 'default', url = part] = NAMED.exec(part) ?? [];
    const parsed = address.safeParse(url);
    const problem = !parsed.success
      ? `${part} is not an address such as http://host:8081`
      : !STORAGE.test(storage)
        ? `${storage} is not a name of a storage: 1 to 32 of a-z, 0-9, - and _, beginning with a letter or digit`
        : found.has(storage) && `the storage ${storage} is named twice`;
    if (problem) context.addIssue({ code: 'custom', message: problem });
    else found.set(storage, parsed.data!);
  }
  if (!found.has('default'))
    context.addIssue({ code: 'custom', message: 'the storage default has no address' });
  return found;
});

const splitSettings = settings.extend({
  /** Signs and verifies exchange tokens: all processes need the same key. */
  SECRET_KEY: z.string('is required where services run apart').min(32, 'must have at least 32 characters'),
  EXTERNAL_URL: settings.shape.EXTERNAL_URL.default(at('gateway')),
  EVENTSTORE_URL: z.string().min(1).optional(),
  MONGODB_URL: z.string().min(1).optional(),
  REPO_URL: shards.default(new Map([['default', at('repo')]])),
  /** The storage that this instance of repo holds, a name in REPO_URL. */
  STORAGE: z.string().default('default'),
  TRACKER_URL: address.default(at('tracker')),
  CI_URL: address.default(at('ci')),
  ADMIN_URL: address.default(at('admin')),
  REPLICA: z.coerce.number().int().min(0).max(999).default(0),
});

export type SplitConfiguration = z.output<typeof splitSettings> & Configuration;

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
    throw new ConfigurationError(`STORAGE: ${own} is not in REPO_URL (${[...REPO_URL.keys()].join(', ')})`);
  if (REPLICA !== 0)
    throw new ConfigurationError('REPLICA: must be 0 in repo, where one instance holds a storage');
}

export const replicaName = (service: ServiceName, { STORAGE: own, REPLICA }: SplitConfiguration): string =>
  service === 'repo' && own !== 'default' ? `${service}_${own}_${REPLICA}` : `${service}_${REPLICA}`;

const withoutEmpty = (environment: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
