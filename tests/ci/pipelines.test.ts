import { beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;

beforeAll(async () => {
  forgelog = await startForgelog();
});

let made = 0;

/** A project whose configuration is committed, which makes a pipeline. */
async function project(configuration: string): Promise<string> {
  const at = `/projects/${(await forgelog.post('/projects', { path: `pipelines-${++made}` })).body.id}`;
  await commit(at, 'create', configuration);
  return at;
}

const commit = async (at: string, action: 'create' | 'update', content: string) => {
  const actions = [{ action, file_path: '.gitlab-ci.yml', content }];
  const { status } = await forgelog.post(`${at}/repository/commits`, {
    branch: 'main',
    commit_message: action,
    actions,
  });
  expect(status).toBe(201);
};

const statuses = async (at: string, what: 'jobs' | 'pipelines') =>
  (await forgelog.get(`${at}/${what}`)).body.map(({ status }: { status: string }) => status);

test('a delayed job starts by itself', async () => {
  const at = await project('wait: {script: make, when: delayed, start_in: 1 second}');
  await expect.poll(() => statuses(at, 'jobs')).toEqual(['pending']);
  const [{ id }] = (await forgelog.get(`${at}/jobs`)).body;
  expect((await forgelog.get(`${at}/jobs/${id}`)).body).toMatchObject({
    commit: { title: 'create' },
    pipeline: { status: 'pending' },
    user: { username: 'root' },
  });
});

test('a newer commit cancels the pipelines of older ones', async () => {
  const at = await project('build: {script: make}');
  await expect.poll(() => statuses(at, 'pipelines')).toEqual(['pending']);
  await commit(at, 'update', 'build: {script: make all}');
  await expect.poll(() => statuses(at, 'pipelines')).toEqual(['pending', 'canceled']);
});

test('pipelines take turns in a resource group', async () => {
  const at = await project('deploy: {script: make, resource_group: production}');
  await expect.poll(() => statuses(at, 'jobs')).toEqual(['pending']);
  expect((await forgelog.post(`${at}/pipeline`, { ref: 'main' })).status).toBe(201);
  expect(await statuses(at, 'jobs')).toEqual(['waiting_for_resource', 'pending']);
  const [, { id }] = (await forgelog.get(`${at}/jobs`)).body;
  expect((await forgelog.post(`${at}/jobs/${id}/cancel`)).status).toBe(201);
  await expect.poll(() => statuses(at, 'jobs')).toEqual(['pending', 'canceled']);
});

test('bridges start a child and a pipeline of another project', async () => {
  const other = await project('build: {script: make}');
  const { path_with_namespace: path } = (await forgelog.get(other)).body;
  const at = await project(`
other: {trigger: ${path}}
child: {trigger: {include: child.yml, strategy: depend}}
nobody: {trigger: root/nobody}`);
  const bridges = async () => {
    const [{ id }] = (await forgelog.get(`${at}/pipelines`)).body;
    const { body } = await forgelog.get(`${at}/pipelines/${id}/bridges`);
    return Object.fromEntries(body.map((bridge: { name: string }) => [bridge.name, bridge]));
  };
  await expect.poll(bridges).toMatchObject({
    other: { status: 'success', downstream_pipeline: { status: 'pending' } },
    child: { status: 'failed', failure_reason: 'downstream_pipeline_creation_failed' },
    nobody: { status: 'failed', failure_reason: 'downstream_bridge_project_not_found' },
  });
  const actions = [{ action: 'create', file_path: 'child.yml', content: 'part: {script: make}' }];
  const more = { branch: 'main', commit_message: 'child', actions };
  expect((await forgelog.post(`${at}/repository/commits`, more)).status).toBe(201);
  await expect
    .poll(bridges)
    .toMatchObject({ child: { status: 'running', downstream_pipeline: { status: 'pending' } } });
  const { id } = (await bridges()).child.downstream_pipeline;
  expect((await forgelog.post(`${at}/pipelines/${id}/cancel`)).status).toBe(200);
  await expect.poll(bridges).toMatchObject({ child: { status: 'canceled' } });
});
