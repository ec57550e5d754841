import { promisify } from 'node:util';
import { gunzip, gzipSync } from 'node:zlib';
import type { Artifacts, Service } from '@forgelog/ci-config/configuration.ts';
import type { Pipeline, PlannedJob } from '@forgelog/ci-config/pipeline.ts';
import type { Variable } from '@forgelog/ci-config/variables/variable.ts';
import { parse, stringify } from 'flatted';

/** What a runner gets of a pipeline's jobs. It lies in the object store, under its SHA-256. */
export interface Definitions {
  /** Predefined variables that were known before the pipeline existed. */
  predefined: readonly Variable[];
  variables: readonly Variable[];
  jobs: ReadonlyMap<string, PlannedJob>;
}

/** Maps as lists of entries, because variables and reports may have any name. */
interface StoredJob extends Omit<PlannedJob, 'services' | 'artifacts'> {
  services: readonly (Omit<Service, 'variables'> & { variables: Entries<string> })[];
  artifacts: (Omit<Artifacts, 'reports'> & { reports: Entries<readonly string[]> }) | null;
}

type Entries<T> = readonly (readonly [string, T])[];

/** Bytes before compression: enough for the largest configuration that the compiler's limits admit. */
const MAX_DEFINITIONS = 128 * 1024 * 1024;

/** Jobs share scripts and variables; flatted writes once what is shared. */
export function writeDefinitions({ variables, jobs }: Pipeline, predefined: readonly Variable[]): Uint8Array {
  const services = rememberingEach((one: Service) => ({ ...one, variables: [...one.variables] }));
  const artifacts = rememberingEach((one: Artifacts) => ({ ...one, reports: [...one.reports] }));
  const stored: StoredJob[] = jobs.map((job) => ({
    ...job,
    services: job.services.map(services),
    artifacts: job.artifacts && artifacts(job.artifacts),
  }));
  return gzipSync(stringify({ version: 1, predefined, variables, jobs: stored }), { level: 3 });
}

/** @throws Error for bytes that are no definitions, or too many */
export async function readDefinitions(bytes: Uint8Array): Promise<Definitions> {
  const text = await promisify(gunzip)(bytes, { maxOutputLength: MAX_DEFINITIONS });
  const { predefined, variables, jobs } = parse(text.toString('utf8')) as {
    predefined: readonly Variable[];
    variables: readonly Variable[];
    jobs: readonly StoredJob[];
  };
  const services = rememberingEach((one: StoredJob['services'][number]) => ({
    ...one,
    variables: new Map(one.variables),
  }));
  const artifacts = rememberingEach((one: NonNullable<StoredJob['artifacts']>) => ({
    ...one,
    reports: new Map(one.reports),
  }));
  const read = jobs.map(
    (job): PlannedJob => ({
      ...job,
      services: job.services.map(services),
      artifacts: job.artifacts && artifacts(job.artifacts),
    }),
  );
  return { predefined, variables, jobs: new Map(read.map((job) => [job.name, job])) };
}

/** Converts what is shared once. */
function rememberingEach<From extends object, To>(convert: (from: From) => To): (from: From) => To {
  const known = new WeakMap<From, To>();
  return (from) => {
    const found = known.get(from) ?? convert(from);
    known.set(from, found);
    return found;
  };
}
