import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type FaultServer, type FaultWorld, faultWorld } from '../support/fault-world.ts';
import { type Api, apiOf } from '../support/mixed-load.ts';

vi.setConfig({ testTimeout: 300_000 });

const program = resolve(import.meta.dirname, '../support/stopping-server.ts');
const PROJECT = '/projects/1';
const REQUEST = `${PROJECT}/merge_requests/1`;
const ACTIONS = [{ action: 'create', file_path: 'topic.txt', content: 'topic' }];

async function must(call: ReturnType<Api>) {
  const { status, body } = await call;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** A project with an open merge request of `topic` into `main`. @returns its commit */
async function prepared(
  world: FaultWorld,
  { settings = {}, more }: { settings?: object; more?: (api: Api, sha: string) => Promise<void> } = {},
): Promise<string> {
  const server = await world.start();
  const api = apiOf(server.address);
  await must(api('POST', '/projects', { name: 'p', initialize_with_readme: true, ...settings }));
  const change = { branch: 'topic', start_branch: 'main', commit_message: 'Topic', actions: ACTIONS };
  const { id } = await must(api('POST', `${PROJECT}/repository/commits`, change));
  const given = { source_branch: 'topic', target_branch: 'main', title: 'Topic' };
  await must(api('POST', `${PROJECT}/merge_requests`, { ...given, remove_source_branch: true }));
  await more?.(api, id);
  await server.stop();
  return id;
}

const dies = (world: FaultWorld, at: string, of: string) =>
  world.start({ program, environment: { FAULT_AT: at, FAULT_OF: of } });

/** What is wrong once the request has been merged: it is merged once, as a whole, and its branch goes. */
async function checkMerged({ address }: FaultServer, sha: string): Promise<string[]> {
  const api = apiOf(address);
  const { body: request } = await eventually('it is merged', () => api('GET', REQUEST), {
    until: ({ body }) => body.state === 'merged',
  });
  await eventually('its branch goes', () => api('GET', `${PROJECT}/repository/branches/topic`), {
    until: ({ status }) => status === 404,
  });
  const commits = await must(api('GET', `${PROJECT}/repository/commits?ref_name=main`));
  const merges = commits.filter(({ parent_ids }: { parent_ids: string[] }) => parent_ids.includes(sha));
  const wrong: string[] = [];
  if (merges.length !== 1) wrong.push(`${merges.length} commits merge it`);
  if (commits[0].id !== request.merge_commit_sha) wrong.push('the tip is not the merge commit of the record');
  if (request.sha !== sha || request.merged_by?.id !== 1) wrong.push('the record tells another merge');
  if ((await api('PUT', `${REQUEST}/merge`)).status !== 405) wrong.push('it can be merged again');
  return wrong;
}

test.each([
  ['before', 'MergeRequestMergeStarted', 'opened'],
  ['after', 'MergeRequestMergeStarted', 'goes on'],
  ['before', 'RefUpdated', 'goes on'],
  ['after', 'RefUpdated', 'goes on'],
  ['before', 'MergeRequestMerged', 'goes on'],
  ['after', 'MergeRequestMerged', 'goes on'],
])('killed %s the append of %s, a merge happens once: %s', async (at, of, then) => {
  const world = await faultWorld();
  const sha = await prepared(world);
  const dying = await dies(world, at, of);
  await expect(apiOf(dying.address)('PUT', `${REQUEST}/merge`)).rejects.toThrow();
  expect(await dying.ended).toBe('SIGKILL');
  const wrong = await world.inspect(async (server) => {
    const api = apiOf(server.address);
    if (then === 'opened') {
      expect((await must(api('GET', REQUEST))).state).toBe('opened');
      await must(api('PUT', `${REQUEST}/merge`, { sha }));
    }
    return checkMerged(server, sha);
  });
  expect(wrong).toEqual([]);
});

test.each([
  ['after', 'PipelineStatusChanged'],
  ['before', 'MergeRequestMergeStarted'],
  ['after', 'MergeRequestMergeStarted'],
  ['before', 'RefUpdated'],
  ['after', 'RefUpdated'],
  ['before', 'MergeRequestMerged'],
])('killed %s the append of %s, what waited for its pipeline is merged once', async (at, of) => {
  const world = await faultWorld();
  const report = (api: Api, sha: string, state: string) =>
    api('POST', `${PROJECT}/statuses/${sha}`, { state, ref: 'topic' });
  const sha = await prepared(world, {
    async more(api, topic) {
      await must(report(api, topic, 'running'));
      const given = { merge_when_pipeline_succeeds: true };
      expect((await must(api('PUT', `${REQUEST}/merge`, given))).merge_when_pipeline_succeeds).toBe(true);
    },
  });
  const dying = await dies(world, at, of);
  // Its answer may come before the end does.
  await report(apiOf(dying.address), sha, 'success').catch(() => {});
  expect(await dying.ended).toBe('SIGKILL');
  expect(await world.inspect((server) => checkMerged(server, sha))).toEqual([]);
});

test.each(['before', 'after'])('killed %s the append of a rebase, the branch is whole', async (at) => {
  const world = await faultWorld();
  const sha = await prepared(world, {
    settings: { merge_method: 'ff' },
    async more(api) {
      const actions = [{ action: 'create', file_path: 'main.txt', content: 'main' }];
      const change = { branch: 'main', commit_message: 'Main', actions };
      await must(api('POST', `${PROJECT}/repository/commits`, change));
    },
  });
  const dying = await dies(world, at, 'RefUpdated');
  await expect(apiOf(dying.address)('PUT', `${REQUEST}/rebase`)).rejects.toThrow();
  expect(await dying.ended).toBe('SIGKILL');
  const wrong = await world.inspect(async ({ address }) => {
    const api = apiOf(address);
    const titles = async (ref: string) =>
      (await must(api('GET', `${PROJECT}/repository/commits?ref_name=${ref}`))).map(
        ({ title }: { title: string }) => title,
      );
    const left = await must(api('GET', REQUEST));
    expect(left.sha === sha).toBe(at === 'before');
    expect(await titles('topic')).toEqual(
      at === 'before' ? ['Topic', 'Initial commit'] : ['Topic', 'Main', 'Initial commit'],
    );
    await must(api('PUT', `${REQUEST}/rebase`));
    expect((await must(api('PUT', `${REQUEST}/merge`))).state).toBe('merged');
    expect(await titles('main')).toEqual(['Topic', 'Main', 'Initial commit']);
    return [];
  });
  expect(wrong).toEqual([]);
});
