import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readYaml } from '../support/kustomize.ts';

const folder = join(import.meta.dirname, '../../infra/observability');
const { PROMTOOL } = process.env;

test('every alert has a case in which it fires', async () => {
  const [alerts] = (await readYaml(join(folder, 'alerts.yaml'))) as [
    { groups: { rules: { alert: string }[] }[] },
  ];
  const [cases] = (await readYaml(join(folder, 'alerts.test.yaml'))) as [
    { tests: { promql_expr_test: { exp_samples: { labels: string }[] }[] }[] },
  ];
  const fired = cases.tests
    .flatMap(({ promql_expr_test }) => promql_expr_test.flatMap(({ exp_samples }) => exp_samples))
    .map(({ labels }) => /alertname="(\w+)"/.exec(labels)?.[1]);
  const names = alerts.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  expect([...new Set(fired)].sort()).toEqual(names.toSorted());
});

test.skipIf(!PROMTOOL)("Prometheus' own tool runs the cases: what fires, and that nothing else does", () => {
  for (const args of [
    ['check', 'rules', 'alerts.yaml'],
    ['test', 'rules', 'alerts.test.yaml'],
  ]) {
    const { status, stdout, stderr } = spawnSync(PROMTOOL!, args, { cwd: folder, encoding: 'utf8' });
    expect(status, `${stdout}${stderr}`).toBe(0);
  }
});
