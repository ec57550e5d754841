import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceName } from '@forgelog/contracts/endpoint.ts';
import { readSplitConfiguration } from '@forgelog/host/split-configuration.ts';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { buildOverlay } from '../support/kustomize.ts';

const root = join(import.meta.dirname, '../..');
const SERVICES: readonly ServiceName[] = ['admin', 'ci', 'gateway', 'repo', 'tracker'];

/** What a secret may look like, for overlays that do not bring it. */
const SECRETS: Record<string, string> = {
  SECRET_KEY: 'a-key-for-the-test-of-the-manifests-0123',
  EVENTSTORE_URL: 'esdb://admin:changeit@events.example.org:2113',
  MONGODB_URL: 'mongodb://mongo.example.org:27017/forgelog',
  METRICS_TOKEN: 'a-token-of-prometheus',
  S3_BUCKET: 'forgelog',
  S3_ENDPOINT: 'https://objects.example.org',
  S3_ACCESS_KEY_ID: 'id-of-a-key',
  S3_SECRET_ACCESS_KEY: 'secret-of-a-key',
  ROOT_PASSWORD: 'correct horse battery',
  ROOT_TOKEN: 'a-token-of-the-administrator',
};

test.each(['dev', 'production', 'two-storages'])(
  'the services take the settings that overlay %s gives them',
  async (overlay) => {
    const objects = await buildOverlay(join(root, 'infra/k8s/overlays', overlay));
    const configured = objects.find(({ kind }) => kind === 'ConfigMap')!.data as Record<string, string>;
    const processes = objects.filter(
      ({ kind, metadata }) =>
        kind === 'StatefulSet' && metadata.labels!['app.kubernetes.io/name'] === 'forgelog',
    );
    const started = processes.map(({ metadata }) => metadata.labels!['app.kubernetes.io/component']);
    expect([...new Set(started)].sort()).toEqual(SERVICES);
    for (const { spec, metadata } of processes) {
      const name = metadata.labels!['app.kubernetes.io/component'] as ServiceName;
      const { labels } = spec.template.metadata;
      const [container] = spec.template.spec.containers;
      const index = name === 'repo' ? 0 : 1;
      const environment = { ...configured };
      for (const { name: key, valueFrom } of container.env) {
        if (valueFrom.secretKeyRef) environment[key] = SECRETS[valueFrom.secretKeyRef.key]!;
        else if (key === 'STORAGE') environment[key] = labels['forgelog/storage'];
        // What the pod's own index is.
        else environment[key] = String(index);
      }
      const settings = readSplitConfiguration(name, environment);
      expect(settings.PORT).toBe(container.ports[0].containerPort);
      for (const key of Object.keys(environment))
        expect(settings, key).toSatisfy((all: object) => key in all || environment[key] === '');
      expect(settings.REPLICA).toBe(index);
      expect(settings.KAFKA_BROKERS).toEqual(configured.KAFKA_BROKERS!.split(','));
    }
  },
);

test('the services take the settings that Compose gives them', async () => {
  const { services } = parse(await readFile(join(root, 'infra/compose.yaml'), 'utf8'), { merge: true }) as {
    services: Record<string, { environment: Record<string, string>; healthcheck: { test: string[] } }>;
  };
  for (const name of SERVICES) {
    const { environment, healthcheck } = services[name]!;
    const filled = Object.fromEntries(
      Object.entries(environment).map(([key, value]) => [
        key,
        value.replace(/\$\{\w+:-([^}]*)\}/g, (_, fallback: string) => fallback),
      ]),
    );
    const settings = readSplitConfiguration(name, filled);
    expect(settings.PORT).toBe(Number(healthcheck.test.at(-1)));
    expect(settings.KAFKA_BROKERS).toEqual(['kafka:9092']);
  }
});

test('the second storage that Compose adds is one that every service knows, with a volume of its own', async () => {
  const text = await readFile(join(root, 'infra/compose.two-storages.yaml'), 'utf8');
  const { services, volumes } = parse(text, { merge: true });
  const { environment, extends: base, volumes: mounted } = services['repo-second'];
  expect(base).toEqual({ file: 'compose.yaml', service: 'repo' });
  expect(mounted).toEqual([`${Object.keys(volumes)[0]}:/data`]);
  for (const name of SERVICES) expect(services[name].environment.REPO_URL, name).toBe(environment.REPO_URL);
  const settings = readSplitConfiguration('repo', { ...SECRETS, ...environment });
  expect(settings.STORAGE).toBe('second');
  expect(Object.fromEntries(settings.REPO_URL)).toEqual({
    default: 'http://repo:8081',
    second: 'http://repo-second:8081',
  });
});
