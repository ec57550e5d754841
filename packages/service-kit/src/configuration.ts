import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { exporterSettings } from './telemetry/exporters.ts';

const BROKER = /^[\w.-]+:([1-9]\d{0,4})$/;
const isBroker = (text: string) => Number(BROKER.exec(text)?.[1] ?? Number.NaN) <= 65_535;

/** The notations that `proxy-addr` accepts. */
function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  return (
    family !== 0 &&
    (prefix === undefined || (Number(prefix) > 0 && Number(prefix) <= (family === 4 ? 32 : 128)))
  );
}

function isOrigin(url: string): boolean {
  const { origin, href } = new URL(url);
  return href === `${origin}/`;
}

const MAILBOX =
  /^(?:(?<name>[^<>"\p{Cc}]{1,100}?) *<)?(?<address>[^\s<>()[\]\\,;:"@]{1,64}@[a-z0-9.-]{1,255})>?$/iu;

/** `Forgelog <forgelog@example.org>`, or the address alone. */
function mailbox(text: string, context: z.RefinementCtx): { name: string; address: string } {
  const { name = 'Forgelog', address } = MAILBOX.exec(text)?.groups ?? {};
  if (address !== undefined && text.includes('<') === text.endsWith('>')) return { name, address };
  context.addIssue('must be an address, or a name with an address in angle brackets');
  return z.NEVER;
}

/** All errors are reported together, before anything listens. */
export const settings = z.object({
  PORT: z.coerce.number({ error: 'must be a number from 0 to 65535' }).int().min(0).max(65_535).default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  EXTERNAL_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
    .transform((url) => url.replace(/\/+$/, ''))
    .refine(
      isOrigin,
      'must have no path, query or user name: the API is served at the root of its host alone',
    )
    .optional(),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .transform((path) => resolve(path)),
  ROOT_TOKEN: z
    .string()
    .regex(/^[\w-]{20,255}$/, 'must be 20 to 255 letters, digits, - or _')
    .optional(),
  ROOT_PASSWORD: z.string().min(8, 'must have at least 8 characters').max(128).optional(),
  /** One key, or two with a comma between, while one is rotated. */
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  EDITION: z.enum(['free', 'premium', 'ultimate']).default('ultimate'),
  /** Whether administrators may make tokens to act as users [L481]. */
  IMPERSONATION: z.enum(['on', 'off']).default('on'),
  COMPAT_HEADERS: z.enum(['on', 'off']).default('on'),
  /** Whether configurations of pipelines may include files of other servers. */
  CI_REMOTE_INCLUDES: z.enum(['on', 'off']).default('off'),
  CI_LONG_POLL_SECONDS: z.coerce
    .number({ error: 'must be a number from 0 to 90' })
    .int()
    .min(0)
    .max(90)
    .default(50),
  CI_SILENT_JOB_MINUTES: z.coerce
    .number({ error: 'must be a number from 10 to 1440' })
    .int()
    .min(10)
    .max(1440)
    .default(60),
  /** Whether runners may store files of their jobs. */
  CI_ARTIFACTS: z.enum(['on', 'off']).default('on'),
  /** Whether projects keep the artifacts of their newest pipelines, as their own setting says. */
  CI_KEEP_LATEST_ARTIFACTS: z.enum(['on', 'off']).default('on'),
  REPOSITORY_HOUSEKEEPING: z.enum(['on', 'off']).default('on'),
  /** A folder of files in the format of OSV, which say what packages are vulnerable; nobody knows without it. */
  VULNERABILITY_DATABASE: z
    .string()
    .min(1)
    .transform((path) => resolve(path))
    .optional(),
  /** Proxies whose header is trusted for the client's address; none by default. */
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine(
      (proxies) => proxies.every(isNetwork),
      'must be addresses or networks (10.0.0.0/8, 2001:db8::/32), or loopback, linklocal, uniquelocal, separated by commas',
    )
    .default([]),
  /** The header that those proxies write; the other one may be forged by a client. */
  PROXY_HEADER: z.enum(['x-forwarded-for', 'forwarded']).default('x-forwarded-for'),
  /** Days that the access log keeps; 0 turns it off. */
  ACCESS_LOG_DAYS: z.coerce
    .number({ error: 'must be a number of days, 0 for no access log' })
    .int()
    .min(0)
    .max(3650)
    .default(30),
  DELETION_ADJOURNED_PERIOD: z.coerce
    .number({ error: 'must be a number of days from 0 to 90, 0 to delete at once' })
    .int()
    .min(0)
    .max(90)
    .default(0),
  /** Minutes after which the use of a token is recorded again at the earliest; 0 for never. */
  TOKEN_USE_MINUTES: z.coerce
    .number({ error: 'must be a number of minutes from 0 to 1440, 0 for never' })
    .int()
    .min(0)
    .max(1440)
    .default(10),
  /** How long a server that is told to stop goes on answering while /-/readiness says that it is not ready. */
  STOP_DELAY_SECONDS: z.coerce
    .number({ error: 'must be a number of seconds from 0 to 60' })
    .min(0)
    .max(60)
    .default(0),
  /** The bearer token for /-/metrics; without it the page is open to everyone. */
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  /** Bootstrap brokers of the Kafka cluster that receives the feed. */
  KAFKA_BROKERS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((brokers) => brokers.every(isBroker), 'must be host:port of each broker, separated by commas')
    .optional(),
  /** With a user name and password, where the server wants them. */
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an address that begins with smtp:// or smtps://' })
    .optional(),
  MAIL_FROM: z.string().transform(mailbox).optional(),
  MAIL_DELAY_SECONDS: z.coerce
    .number({ error: 'must be a number of seconds from 0 to 600' })
    .min(0)
    .max(600)
    .default(10),
  /** The bucket that holds artifacts, logs and uploads, on a store that speaks S3; files below DATA_DIR without it. */
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be a name of a bucket: 3 to 63 of a-z, 0-9, . and -')
    .optional(),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
    .optional(),
  MAX_ARTIFACT_MB: z.coerce.number().int().min(1).max(71_680).default(1024),
  MAX_UPLOAD_MB: z.coerce.number().int().min(1).max(10_240).default(100),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  ...exporterSettings,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export type Configuration = z.output<typeof settings>;

export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** Settings for services that run apart. Ignoring them would silently store data in the wrong place. */
const NOT_HERE = ['EVENTSTORE_URL', 'MONGODB_URL'];

export function readConfiguration(environment: Readonly<Record<string, string | undefined>>): Configuration {
  const remote = NOT_HERE.filter((name) => environment[name]);
  if (remote.length > 0) {
    throw new ConfigurationError(
      `${remote.join(', ')}: one process runs on its embedded stores alone. Unset ${remote.length > 1 ? 'these' : 'it'} to start.`,
    );
  }
  return readSettings(settings, environment);
}

/** @throws ConfigurationError with a line for each wrong setting */
export function readSettings<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<z.ZodObject<Shape>> {
  const given = Object.fromEntries(
    Object.keys(schema.shape)
      .map((name) => [name, environment[name]] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  );
  if (given.S3_BUCKET !== undefined)
    for (const name of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
      if (given[name] === undefined) throw new ConfigurationError(`${name}: is required with S3_BUCKET`);
  for (const [one, other] of [
    ['SMTP_URL', 'MAIL_FROM'],
    ['MAIL_FROM', 'SMTP_URL'],
  ] as const)
    if (given[one] !== undefined && given[other] === undefined && other in schema.shape)
      throw new ConfigurationError(`${other}: is required with ${one}`);
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigurationError(`Invalid settings in the environment:\n${lines.join('\n')}`);
}
