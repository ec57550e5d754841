import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { problemsOf } from '../support/kubernetes-schema.ts';
import { buildOverlay, type KubernetesObject, readYaml } from '../support/kustomize.ts';

const root = join(import.meta.dirname, '../..');
const SERVICES = ['admin', 'ci', 'gateway', 'repo', 'tracker'];
/** The program ends by itself within this time (infra/src/main.ts). */
const STOP_SECONDS = 10;

interface Volume {
  persistentVolumeClaim?: { claimName: string };
}
const isOurs = ({ labels }: KubernetesObject['metadata']) =>
  labels?.['app.kubernetes.io/name'] === 'forgelog';
const isRepo = ({ metadata }: KubernetesObject) =>
  metadata.labels?.['app.kubernetes.io/component'] === 'repo';
function mebibytes(quantity: string): number {
  const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity)!;
  return Number(amount) * (unit === 'Gi' ? 1024 : 1);
}

describe.each(['dev', 'production', 'two-storages'])('overlay %s', (overlay) => {
  let objects: KubernetesObject[];
  const of = (kind: string) => objects.filter((object) => object.kind === kind);
  const named = (kind: string, name: string) => {
    const found = of(kind).find(({ metadata }) => metadata.name === name);
    if (!found) throw new Error(`no ${kind} ${name}`);
    return found;
  };
  const services = () => SERVICES.map((name) => named('StatefulSet', name));
  const podOf = ({ spec }: KubernetesObject) => (spec.jobTemplate?.spec ?? spec).template.spec;

  beforeAll(async () => {
    objects = await buildOverlay(join(root, 'infra/k8s/overlays', overlay));
  });

  test('every object is what the schema of Kubernetes says, without a key that it does not know', async () => {
    expect(await problemsOf(objects)).toEqual([]);
  });

  test('a key that Kubernetes does not know would be found, wherever it is', async () => {
    const deep = structuredClone(named('StatefulSet', 'repo'));
    podOf(deep).containers[0].livenessProbe.periodSecond = 3;
    expect(await problemsOf([deep])).toEqual([expect.stringMatching(/^StatefulSet repo: .*periodSecond/)]);
    const wrong = structuredClone(named('Service', 'repo'));
    wrong.spec.ports[0].port = 'http';
    expect(await problemsOf([wrong])).not.toEqual([]);
  });

  test('every name is there once, and everything is in one namespace', () => {
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names).toEqual([...new Set(names)]);
    const [namespace] = of('Namespace');
    const elsewhere = objects.filter(
      ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== namespace!.metadata.name,
    );
    expect(elsewhere).toEqual([]);
  });

  test('each service runs as its own main, of one image', async () => {
    const images = new Set<string>();
    for (const object of services()) {
      const [container, ...others] = podOf(object).containers;
      expect(others).toEqual([]);
      expect(container.command).toEqual(['node', `services/${object.metadata.name}/src/main.ts`]);
      expect(existsSync(join(root, container.command[1]))).toBe(true);
      images.add(container.image);
    }
    expect([...images]).toHaveLength(1);
    expect([...images][0]).toMatch(/:\S+$/);
  });

  test('pods get no more than they need: no root, no capabilities, no writable root, no token of the cluster', () => {
    for (const object of [...of('StatefulSet'), ...of('CronJob')]) {
      const pod = podOf(object);
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const { securityContext, resources } of pod.containers) {
        expect(securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        });
        for (const kind of ['requests', 'limits'])
          expect(resources[kind]).toEqual({ cpu: expect.anything(), memory: expect.anything() });
      }
    }
    for (const object of services())
      expect(podOf(object).containers[0].securityContext.readOnlyRootFilesystem).toBe(true);
  });

  test('what the program writes to is a volume: its data, and the folder for temporary files', () => {
    for (const object of services()) {
      const pod = podOf(object);
      const mounted = Object.fromEntries(
        pod.containers[0].volumeMounts.map((mount: { mountPath: string; name: string }) => [
          mount.mountPath,
          mount.name,
        ]),
      );
      const given = [
        ...(pod.volumes ?? []),
        ...(object.spec.volumeClaimTemplates ?? []).map(({ metadata }: KubernetesObject) => metadata),
      ];
      expect(mounted).toEqual({ '/data': 'data', '/tmp': 'tmp' });
      expect(given.map(({ name }) => name).sort()).toEqual(['data', 'tmp']);
    }
    expect(named('ConfigMap', 'forgelog').data.DATA_DIR).toBe('/data');
    expect(named('StatefulSet', 'repo').spec.volumeClaimTemplates).toHaveLength(1);
  });

  test('probes ask where the program answers, and a stop has more time than the program takes', () => {
    for (const object of services()) {
      const { terminationGracePeriodSeconds, containers } = podOf(object);
      const { startupProbe, readinessProbe, livenessProbe, lifecycle, ports } = containers[0];
      // Nothing but readiness waits for a long log: a probe that ended the process would do so again and again.
      expect(startupProbe.httpGet).toEqual({ path: '/-/liveness', port: 'http' });
      expect(readinessProbe.httpGet).toEqual({ path: '/-/readiness', port: 'http' });
      expect(livenessProbe.httpGet).toEqual({ path: '/-/liveness', port: 'http' });
      const pause = lifecycle.preStop.sleep.seconds;
      expect(terminationGracePeriodSeconds).toBeGreaterThan(pause + STOP_SECONDS);
      const [{ port, targetPort }] = named('Service', object.metadata.name).spec.ports;
      expect(targetPort).toBe('http');
      expect(ports).toEqual([{ name: 'http', containerPort: port }]);
    }
  });

  test('secrets come by reference alone', () => {
    const configured = Object.keys(named('ConfigMap', 'forgelog').data);
    for (const object of services()) {
      const { env, envFrom } = podOf(object).containers[0];
      expect(envFrom).toEqual([{ configMapRef: { name: 'forgelog' } }]);
      for (const variable of env) {
        expect(variable.value).toBeUndefined();
        expect(configured).not.toContain(variable.name);
      }
    }
    for (const name of [
      'SECRET_KEY',
      'ROOT_TOKEN',
      'ROOT_PASSWORD',
      'EVENTSTORE_URL',
      'MONGODB_URL',
      'METRICS_TOKEN',
    ])
      expect(configured).not.toContain(name);
    if (overlay !== 'dev') expect(of('Secret')).toEqual([]);
  });

  test('each service has a budget for disruptions; all but the one with the repositories scale by load', () => {
    for (const {
      metadata: { name },
      spec,
    } of services()) {
      // A budget of one beside a single pod would promise nothing.
      const maxUnavailable = name === 'repo' ? 0 : 1;
      expect(named('PodDisruptionBudget', name).spec).toEqual({ maxUnavailable, selector: spec.selector });
      if (name === 'repo') expect(spec.replicas).toBe(1);
      else {
        // Its number belongs to the autoscaler: a number here would be set back with each deployment.
        expect(spec.replicas).toBeUndefined();
        const { scaleTargetRef, metrics } = named('HorizontalPodAutoscaler', name).spec;
        expect(scaleTargetRef).toEqual({ apiVersion: 'apps/v1', kind: 'StatefulSet', name });
        // Of a core, since a process uses one: a share of what is requested would depend on the request.
        const target = { type: 'AverageValue', averageValue: '700m' };
        expect(metrics).toEqual([{ type: 'Resource', resource: { name: 'cpu', target } }]);
      }
    }
  });

  test('each StatefulSet has a headless Service of its own, by which pods that are not ready are found too', () => {
    for (const { metadata, spec } of of('StatefulSet').filter(({ metadata }) => isOurs(metadata))) {
      expect(spec.serviceName).toBe(`${metadata.name}-pods`);
      const { spec: headless, metadata: own } = named('Service', spec.serviceName);
      expect(headless).toEqual({
        ...{ clusterIP: 'None', publishNotReadyAddresses: true, selector: spec.selector.matchLabels },
        ports: named('Service', metadata.name).spec.ports,
      });
      expect(own.labels).toMatchObject({ ...metadata.labels, 'forgelog/service': 'pods' });
    }
  });

  test('pods are spread over zones and nodes, and start anew where a Secret or the configuration changed', () => {
    for (const { metadata, spec } of of('StatefulSet').filter(({ metadata }) => isOurs(metadata))) {
      const spread = spec.template.spec.topologySpreadConstraints as { topologyKey: string }[];
      expect(spread.map(({ topologyKey }) => topologyKey)).toEqual([
        'topology.kubernetes.io/zone',
        'kubernetes.io/hostname',
      ]);
      expect(metadata.annotations).toEqual({ 'reloader.stakater.com/auto': 'true' });
    }
  });

  test('memory and disk have room for the largest bodies of requests', () => {
    for (const object of services()) {
      const [{ resources }] = podOf(object).containers;
      // ADR 63: an idle process has 310 MB, the largest body takes 0.4 GiB, and bodies on disk 2 GiB.
      expect(mebibytes(resources.requests.memory)).toBeGreaterThanOrEqual(512);
      expect(mebibytes(resources.limits.memory)).toBeGreaterThanOrEqual(1024);
      const data = (podOf(object).volumes ?? []).find(({ name }: { name: string }) => name === 'data');
      if (data && object.metadata.name !== 'gateway')
        expect(mebibytes(data.emptyDir.sizeLimit)).toBeGreaterThanOrEqual(3 * 1024);
    }
  });

  test('metrics need a token where everyone reaches the gateway', () => {
    const [container] = podOf(named('StatefulSet', 'gateway')).containers;
    const token = container.env.find(({ name }: { name: string }) => name === 'METRICS_TOKEN');
    expect(token.valueFrom.secretKeyRef).toEqual({ name: 'forgelog', key: 'METRICS_TOKEN' });
    if (overlay === 'dev') expect(of('Secret')[0]!.stringData.METRICS_TOKEN).toMatch(/^.{16,}$/);
  });

  test('names are asked of the DNS of the cluster alone', () => {
    const [{ to }] = named('NetworkPolicy', 'find-names').spec.egress;
    expect(to).toEqual([
      {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
        podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
      },
    ]);
  });

  test('the files of each storage are backed up, on the node of its instance and with its volume', () => {
    const storages = overlay === 'dev' ? [] : of('StatefulSet').filter(isRepo);
    expect(of('CronJob').map(({ metadata }) => metadata.name)).toEqual(
      storages.map(({ metadata }) => `${metadata.name}-backup`),
    );
    for (const { metadata, spec } of storages) {
      const job = named('CronJob', `${metadata.name}-backup`);
      expect(job.spec.concurrencyPolicy).toBe('Forbid');
      const { containers, volumes, affinity } = podOf(job);
      const [{ command, env, image, volumeMounts }] = containers;
      expect(existsSync(join(root, command[1]))).toBe(true);
      expect(command).toEqual(['node', 'infra/src/backup.ts', '/backup']);
      expect(env.map(({ name }: { name: string }) => name)).toEqual(['DATA_DIR', 'EVENTSTORE_URL']);
      expect(image).toBe(podOf(named('StatefulSet', metadata.name)).containers[0].image);
      const paths = volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
      expect(paths).toEqual(['/data', '/backup', '/tmp']);
      const claims = volumes.map((volume: Volume) => volume.persistentVolumeClaim?.claimName);
      // What a StatefulSet names the claim of its first pod.
      expect(claims).toEqual([`data-${metadata.name}-0`, `${metadata.name}-backup`, undefined]);
      named('PersistentVolumeClaim', `${metadata.name}-backup`);
      const [near] = affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution;
      expect(near.labelSelector).toEqual(spec.selector);
    }
  });

  test('addresses of services in the configuration are those of their Services', () => {
    const { data } = named('ConfigMap', 'forgelog');
    for (const name of SERVICES.filter((each) => each !== 'gateway'))
      expect(data[`${name.toUpperCase()}_URL`]).toContain(
        `http://${name}:${named('Service', name).spec.ports[0].port}`,
      );
  });

  test('every storage has an address, and behind it one instance that holds it', () => {
    const addresses = (named('ConfigMap', 'forgelog').data.REPO_URL as string).split(',');
    const instances = of('StatefulSet').filter(
      ({ metadata }) => metadata.labels!['app.kubernetes.io/component'] === 'repo',
    );
    const held = instances.map((object) => {
      const { name, labels } = object.metadata;
      const storage = labels!['forgelog/storage'];
      const { spec } = object;
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
      expect(spec.selector.matchLabels['forgelog/storage']).toBe(storage);
      expect(spec).toMatchObject({ replicas: 1, serviceName: `${name}-pods` });
      for (const kind of ['Service', 'PodDisruptionBudget'])
        expect(named(kind, name).spec.selector).toEqual(
          kind === 'Service' ? spec.selector.matchLabels : spec.selector,
        );
      expect(podOf(object).containers[0].env).toContainEqual({
        name: 'STORAGE',
        valueFrom: { fieldRef: { fieldPath: "metadata.labels['forgelog/storage']" } },
      });
      return `${storage}=http://${name}:${named('Service', name).spec.ports[0].port}`;
    });
    const stated = addresses.map((address) => (address.includes('=') ? address : `default=${address}`));
    expect(stated.sort()).toEqual(held.sort());
  });

  test('instances of repo differ by their storage alone', () => {
    const [first, ...others] = of('StatefulSet').filter(
      ({ metadata }) => metadata.labels!['app.kubernetes.io/component'] === 'repo',
    );
    for (const other of others) {
      const storage = other.metadata.labels!['forgelog/storage']!;
      const text = JSON.stringify(first!)
        .replaceAll('"forgelog/storage":"default"', `"forgelog/storage":"${storage}"`)
        .replace('"metadata":{"name":"repo"', `"metadata":{"name":"${other.metadata.name}"`)
        .replace('"serviceName":"repo-pods"', `"serviceName":"${other.metadata.name}-pods"`);
      expect(other).toEqual(JSON.parse(text));
    }
  });

  test('brokers in the configuration are the Service of the overlay, or elsewhere', () => {
    const brokers = named('ConfigMap', 'forgelog').data.KAFKA_BROKERS as string;
    if (overlay === 'dev') expect(brokers).toBe(`kafka:${named('Service', 'kafka').spec.ports[0].port}`);
    else expect(of('Service').map(({ metadata }) => metadata.name)).not.toContain('kafka');
    expect(brokers).not.toBe('');
  });

  /** Whether policies let a pod with these labels reach another on a port. */
  function reaches(from: string, to: string, port: number): boolean {
    const labels = (component: string) => ({
      'app.kubernetes.io/name': SERVICES.includes(component) ? 'forgelog' : 'forgelog-store',
      'app.kubernetes.io/component': component,
    });
    const selects = (selector: Selector | undefined, component: string) =>
      selector !== undefined &&
      Object.entries(selector.matchLabels ?? {}).every(
        ([key, value]) => (labels(component) as Record<string, string>)[key] === value,
      ) &&
      (selector.matchExpressions ?? []).every(({ key, values }) =>
        values.includes((labels(component) as Record<string, string>)[key] ?? ''),
      );
    const allows = (direction: 'Ingress' | 'Egress', self: string, other: string) => {
      const policies = of('NetworkPolicy').filter(
        ({ spec }) => spec.policyTypes.includes(direction) && selects(spec.podSelector, self),
      );
      const [rules, peers] = direction === 'Ingress' ? ['ingress', 'from'] : ['egress', 'to'];
      if (policies.length === 0) return true;
      return policies
        .flatMap(({ spec }) => spec[rules!] ?? [])
        .some(
          (rule: Record<string, { podSelector?: Selector; port?: number }[]>) =>
            (rule.ports ?? []).some((each) => each.port === port) &&
            (rule[peers!] === undefined ||
              rule[peers!]!.some(({ podSelector }) => selects(podSelector, other))),
        );
    };
    return allows('Egress', from, to) && allows('Ingress', to, from);
  }
  interface Selector {
    matchLabels?: Record<string, string>;
    matchExpressions?: { key: string; values: string[] }[];
  }

  test('only the gateway reaches services (and others those that they ask), and nobody but Forgelog the stores', () => {
    const portOf = (name: string) => named('Service', name).spec.ports[0].port as number;
    const reached = SERVICES.flatMap((from) =>
      SERVICES.filter((to) => from !== to && reaches(from, to, portOf(to))).map((to) => `${from} → ${to}`),
    );
    expect(reached.sort()).toEqual([
      'admin → repo',
      'ci → repo',
      'ci → tracker',
      'gateway → admin',
      'gateway → ci',
      'gateway → repo',
      'gateway → tracker',
      'repo → admin',
      'repo → ci',
      'repo → tracker',
      'tracker → admin',
      'tracker → ci',
      'tracker → repo',
    ]);
    const stores = of('StatefulSet')
      .map(({ metadata }) => metadata.name)
      .filter((name) => !SERVICES.includes(name) && !name.startsWith('repo-'));
    expect(stores).toEqual(overlay === 'dev' ? ['eventstoredb', 'mongodb', 'kafka'] : []);
    for (const store of stores) {
      for (const service of SERVICES) expect(reaches(service, store, portOf(store))).toBe(true);
      expect(reaches('somebody', store, portOf(store))).toBe(false);
      expect(reaches(store, 'repo', portOf('repo'))).toBe(false);
    }
  });
});

test('the operator of Prometheus scrapes every pod, under the name that the alerts ask for, by the same alerts', async () => {
  const [monitor, rules] = await buildOverlay(join(root, 'infra/k8s/monitoring'));
  const { selector, jobLabel, endpoints } = monitor!.spec;
  const objects = await buildOverlay(join(root, 'infra/k8s/overlays/two-storages'));
  const scraped = objects.filter(
    ({ kind, metadata }) =>
      kind === 'Service' &&
      Object.entries(selector.matchLabels).every(([key, value]) => metadata.labels?.[key] === value),
  );
  expect(scraped.map(({ metadata }) => metadata.name).sort()).toEqual(
    [...SERVICES, 'repo-second'].map((name) => `${name}-pods`).sort(),
  );
  for (const { metadata, spec } of scraped) {
    expect(metadata.labels![jobLabel]).toBe('forgelog');
    expect(spec.ports.map(({ name }: { name: string }) => name)).toEqual([endpoints[0].port]);
  }
  expect(endpoints).toEqual([
    {
      ...{ port: 'http', path: '/-/metrics' },
      authorization: { credentials: { name: 'forgelog', key: 'METRICS_TOKEN' } },
    },
  ]);
  // To make it anew: the groups of alerts.yaml, two spaces further in.
  const [alerts] = await readYaml(join(root, 'infra/observability/alerts.yaml'));
  expect(rules!.spec).toEqual(alerts);
});

test('the repository has no second place that says what is deployed', async () => {
  const text = await readFile(join(root, 'infra/k8s/overlays/production/kustomization.yaml'), 'utf8');
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(text).toContain(`newTag: ${version}`);
});
