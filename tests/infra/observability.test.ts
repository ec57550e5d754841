import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openMemoryFeed } from '@forgelog/eventing/adapters/memory/memory-feed.ts';
import { noteBackup } from '@forgelog/host/backup-state.ts';
import { parser } from '@prometheus-io/lezer-promql';
import { beforeAll, expect, test } from 'vitest';
import { fed } from '../support/fed.ts';
import { forgelogForTest } from '../support/forgelog.ts';
import { settleProject } from '../support/inhabitants.ts';
import { readYaml } from '../support/kustomize.ts';
import { scrape } from '../support/metrics.ts';

const root = join(import.meta.dirname, '../..');

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}
let rules: Rule[];
/** Expressions of all panels, and with them those that fill the variables. */
let panels: string[];
let dashboard: string[];

beforeAll(async () => {
  const [file] = (await readYaml(join(root, 'infra/observability/alerts.yaml'))) as [
    { groups: { rules: Rule[] }[] },
  ];
  rules = file.groups.flatMap((group) => group.rules);
  const board = JSON.parse(
    await readFile(join(root, 'infra/observability/grafana/forgelog.json'), 'utf8'),
  ) as {
    panels: { targets?: { expr: string }[] }[];
    templating: { list: { query: string | { query: string } }[] };
  };
  panels = board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  dashboard = [
    ...panels,
    ...board.templating.list.map(({ query }) => (typeof query === 'string' ? '' : query.query)),
  ];
});

/** Names of metrics in an expression, each with the labels that are asked of it. */
function metricsIn(expr: string): { name: string; labels: string[] }[] {
  return [...expr.matchAll(/\b((?:forgelog|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name, matchers]) => ({
      name: name!,
      labels: [...(matchers ?? '').matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
    }),
  );
}

/** Labels by which an expression groups: they must come from the metric, the scrape, or the expression itself. */
const groupedBy = (expr: string) =>
  [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) =>
    list!.split(',').map((label) => label.trim()),
  );

test('every name and label that the dashboard and the alerts use is exported, and every one of ours is used', async () => {
  const forgelog = await forgelogForTest({
    environment: { KAFKA_BROKERS: 'nobody-asks:9092' },
    openFeed: async () => openMemoryFeed(),
  });
  await settleProject(forgelog, 'watched');
  await fed(forgelog.system.relay!);
  await fed(forgelog.system.accessRelay!);
  await forgelog.get('/version');
  await forgelog.get('/projects/root%2Fwatched');
  await forgelog.put('/application/settings', { search_rate_limit: 1 });
  for (let times = 0; times < 3; times += 1) await forgelog.get('/search?scope=projects&search=watched');
  await noteBackup(forgelog.dataDir, { folder: '/backup', endedAt: new Date().toISOString(), bytes: 1 });
  const streaming = new AbortController();
  await fetch(`${forgelog.url}/api/v4/event_stream?subscriber=watch`, {
    headers: { 'PRIVATE-TOKEN': forgelog.rootToken },
    signal: streaming.signal,
  });
  const { types, samples } = await scrape(forgelog.url);
  streaming.abort();
  const lags = samples.filter(({ name }) => name === 'forgelog_feed_lag_seconds');
  expect(lags.map(({ labels }) => labels.feed).sort()).toEqual(['event_stream', 'kafka', 'kafka-access']);
  const labelsOf = (name: string) =>
    new Set(samples.filter((sample) => sample.name === name).flatMap(({ labels }) => Object.keys(labels)));
  const familyOf = (name: string) =>
    types.has(name)
      ? name
      : name.replace(/_(bucket|sum|count)$/, (suffix) =>
          types.get(name.slice(0, -suffix.length)) === 'histogram' ? '' : suffix,
        );

  const expressions = [...rules.map(({ expr }) => expr), ...dashboard];
  const used = expressions.flatMap(metricsIn);
  expect([...new Set(used.map(({ name }) => name).filter((name) => !types.has(familyOf(name))))]).toEqual([]);
  const fromScrape = ['instance', 'job'];
  const unknown = used.flatMap(({ name, labels }) =>
    labels
      .filter((label) => !fromScrape.includes(label) && !labelsOf(name).has(label))
      .map((label) => `${name}{${label}}`),
  );
  expect([...new Set(unknown)]).toEqual([]);
  for (const expr of expressions) {
    const given = new Set(metricsIn(expr).flatMap(({ name }) => [...labelsOf(name)]));
    const made = [...expr.matchAll(/\),\s+"(\w+)", "/g)].map(([, label]) => label!);
    const strange = groupedBy(expr).filter(
      (label) => !given.has(label) && !fromScrape.includes(label) && !made.includes(label),
    );
    expect(strange, expr).toEqual([]);
  }
  const families = new Set(used.map(({ name }) => familyOf(name)));
  // What prom-client brings for every Node process is there for whoever looks for it.
  const own = [...types.keys()].filter((name) => name.startsWith('forgelog_'));
  expect(own.filter((name) => !families.has(name))).toEqual([]);
});

test('endpoints that expressions leave out by name exist', async () => {
  const { endpoints } = await import('@forgelog/contracts/endpoints.ts');
  const ids = new Set<string>(endpoints.map(({ id }) => id));
  const named = [...rules.map(({ expr }) => expr), ...dashboard].flatMap((expr) =>
    [...expr.matchAll(/endpoint!~?"([^"]*)"/g)].flatMap(([, list]) => list!.split('|')),
  );
  expect(named).not.toEqual([]);
  const beside = ['git-.*', 'operations', 'none'];
  expect(named.filter((name) => !ids.has(name) && !beside.includes(name))).toEqual([]);
});

test('every alert says what to do, where docs/operations.md says it', async () => {
  const text = await readFile(join(root, 'docs/operations.md'), 'utf8');
  const headings = [...text.matchAll(/^### (Forgelog\w+)$/gm)].map(([, heading]) => heading!);
  expect(headings.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  for (const { alert, labels, annotations } of rules) {
    expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    expect(annotations.summary.length).toBeGreaterThan(10);
    expect(['page', 'warn']).toContain(labels.severity);
  }
});

test("every expression is PromQL, after Prometheus' own grammar", () => {
  const strict = parser.configure({ strict: true });
  for (const expr of [...rules.map(({ expr }) => expr), ...panels]) {
    const text = expr.replaceAll('$__rate_interval', '5m');
    expect(() => strict.parse(text), expr).not.toThrow();
  }
  expect(() => strict.parse('sum(rate(x[5m])')).toThrow();
});
