import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { buildOverlay } from '../support/kustomize.ts';

const root = join(import.meta.dirname, '../..');
const SERVICES = ['admin', 'ci', 'gateway', 'repo', 'tracker'];
/** The program ends by itself within this time. */
const STOP_SECONDS = 10;

interface Service {
  image: string;
  command: string[];
  environment: Record<string, string>;
  healthcheck: { test: string[] };
  volumes: string[];
  networks: string[];
  tmpfs: string[];
  stop_grace_period: string;
  depends_on: Record<string, { condition: string }>;
  ports?: string[];
  profiles?: string[];
}
let compose: {
  services: Record<string, Service & Record<string, unknown>>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, unknown>;
};
const service = (name: string) => compose.services[name]!;

beforeAll(async () => {
  compose = parse(await readFile(join(root, 'infra/compose.yaml'), 'utf8'), { merge: true });
});

/** The schema of the Compose specification, as compose-go v2.9.1 carries it (Apache-2.0). */
async function validator() {
  const schema = JSON.parse(await readFile(join(root, 'tests/infra/schema/compose-spec.json'), 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const { $schema: _, ...rest } = schema;
  return ajv.compile(rest);
}

test('it is what the Compose specification says, without a key that it does not know', async () => {
  const validate = await validator();
  validate(compose);
  expect(validate.errors ?? []).toEqual([]);
  const servers = parse(await readFile(join(root, 'infra/compose.test.yaml'), 'utf8'));
  validate(servers);
  expect(validate.errors ?? []).toEqual([]);
  // The same servers as the product runs on, for its adapters to be tested on.
  for (const [name, { image }] of Object.entries<Service>(servers.services))
    expect(image).toBe(service(name).image);
  const wrong = structuredClone(compose) as { services: Record<string, Record<string, unknown>> };
  wrong.services.repo!.stop_grace_perod = '15s';
  expect(validate(wrong)).toBe(false);
});

test('each service runs as its own main, of the one image, without rights that it does not need', () => {
  for (const name of SERVICES) {
    const { command, ...given } = service(name);
    expect(command).toEqual(['node', `services/${name}/src/main.ts`]);
    expect(given).toMatchObject({
      image: 'forgelog',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      // Docker mounts with noexec unless told otherwise, and git's hooks are run from there.
      tmpfs: [expect.stringMatching(/^\/tmp:exec,/)],
    });
    expect(Number.parseInt(given.stop_grace_period, 10)).toBeGreaterThan(STOP_SECONDS);
    expect(given.volumes).toEqual([expect.stringMatching(/^[\w-]+:\/data$/)]);
    expect(given.networks).toEqual(expect.arrayContaining(['services', 'stores']));
  }
});

test('what starts waits for what it needs, and all of it has a health check', () => {
  for (const [name, { healthcheck, profiles }] of Object.entries(compose.services))
    if (!profiles) expect(healthcheck, name).toBeDefined();
  for (const name of SERVICES) {
    const needed = service(name).depends_on;
    expect(Object.keys(needed)).toEqual(expect.arrayContaining(['eventstoredb', 'mongodb', 'kafka']));
    expect(new Set(Object.values(needed).map(({ condition }) => condition))).toEqual(
      new Set(['service_healthy']),
    );
  }
  expect(Object.keys(service('gateway').depends_on)).toEqual(
    expect.arrayContaining(SERVICES.filter((name) => name !== 'gateway')),
  );
});

test('only the gateway is reached from outside, and only services reach the stores', () => {
  const published = Object.entries(compose.services).filter(([, { ports }]) => ports);
  expect(published.map(([name]) => name).sort()).toEqual(['gateway', 'grafana']);
  for (const [, { ports }] of published) expect(ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
  expect(compose.networks).toMatchObject({ stores: { internal: true }, services: { internal: true } });
  const inStores = Object.entries(compose.services).filter(([, { networks }]) => networks.includes('stores'));
  expect(inStores.map(([name]) => name).sort()).toEqual(
    [...SERVICES, 'eventstoredb', 'kafka', 'mongodb'].sort(),
  );
  for (const store of ['eventstoredb', 'mongodb', 'kafka'])
    expect(service(store).networks).toEqual(['stores']);
});

test('ports, addresses and images are those of the cluster for trying out', async () => {
  const objects = await buildOverlay(join(root, 'infra/k8s/overlays/dev'));
  const named = (kind: string, name: string) =>
    objects.find((object) => object.kind === kind && object.metadata.name === name)!;
  const cluster = named('ConfigMap', 'forgelog').data as Record<string, string>;
  const secrets = named('Secret', 'forgelog').stringData as Record<string, string>;
  for (const name of SERVICES) {
    const { environment, healthcheck } = service(name);
    for (const key of ['REPO_URL', 'TRACKER_URL', 'CI_URL', 'ADMIN_URL', 'KAFKA_BROKERS', 'HOST', 'DATA_DIR'])
      expect(environment[key], key).toBe(cluster[key]);
    for (const key of ['EVENTSTORE_URL', 'MONGODB_URL']) expect(environment[key], key).toBe(secrets[key]);
    expect(healthcheck.test.at(-1)).toBe(String(named('Service', name).spec.ports[0].port));
  }
  for (const store of ['eventstoredb', 'mongodb', 'kafka'])
    expect(service(store).image).toBe(named('StatefulSet', store).spec.template.spec.containers[0].image);
});

test('files that it mounts and scrapes are there', async () => {
  const mounted = Object.values(compose.services)
    .flatMap(({ volumes }) => volumes ?? [])
    .filter((volume) => volume.startsWith('./'));
  expect(mounted.length).toBeGreaterThan(0);
  for (const volume of mounted)
    expect(existsSync(join(root, 'infra', volume.split(':')[0]!)), volume).toBe(true);
  const prometheus = parse(await readFile(join(root, 'infra/observability/prometheus.yaml'), 'utf8'));
  const [{ static_configs: targets, metrics_path: path }] = prometheus.scrape_configs;
  expect(path).toBe('/-/metrics');
  expect([...targets[0].targets].sort()).toEqual(
    SERVICES.map((name) => `${name}:${service(name).healthcheck.test.at(-1)}`),
  );
});

test('the image is given what it needs and keeps nothing else', async () => {
  const lines = (await readFile(join(root, 'infra/docker/Dockerfile'), 'utf8')).split('\n');
  const stage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM')));
  expect(stage.filter((line) => line.startsWith('USER'))).toEqual(['USER 10001:10001']);
  const cmd = stage
    .filter((line) => line.startsWith('CMD'))
    .map((line) => JSON.parse(line.slice(4)) as string[]);
  expect(cmd).toHaveLength(1);
  expect(existsSync(join(root, cmd[0]![1]!))).toBe(true);
  const allowed = (await readFile(join(root, 'infra/docker/Dockerfile.dockerignore'), 'utf8'))
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  for (const name of allowed) expect(existsSync(join(root, name)), name).toBe(true);
  // Everything that an installation of the workspace reads.
  const { packages, patchedDependencies } = parse(await readFile(join(root, 'pnpm-workspace.yaml'), 'utf8'));
  const read = [
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    ...packages,
    ...Object.values(patchedDependencies ?? {}),
  ];
  for (const path of read as string[])
    expect(
      [`${path}/package.json`, path.split('/')[0]].some((each) => allowed.includes(each!)),
      path,
    ).toBe(true);
  // What is left out by name must not take a package's manifest along.
  expect(allowed).toContain('packages/testing/package.json');
});
