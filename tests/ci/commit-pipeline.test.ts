import { expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { forgelogForTest } from '../support/forgelog.ts';

test('a commit shows the newest pipeline of it, to those who may see pipelines', async () => {
  const forgelog = await forgelogForTest();
  const reader = await createUser(forgelog);
  const project = await forgelog.post('/projects', {
    name: 'shown',
    visibility: 'public',
    public_builds: false,
  });
  const at = `/projects/${project.body.id}`;
  const actions = [{ action: 'create', file_path: 'a', content: 'a' }];
  const commit = { branch: 'main', commit_message: 'Begin', actions };
  const { body: made } = await forgelog.post(`${at}/repository/commits`, commit);
  const shown = async (token?: string) => {
    const { status, body } = await forgelog.get(`${at}/repository/commits/main`, { token });
    expect(status).toBe(200);
    return [body.status, body.last_pipeline];
  };
  expect([made.status, made.last_pipeline]).toEqual([null, null]);
  expect(await shown()).toEqual([null, null]);
  await forgelog.post(`${at}/statuses/${made.id}`, { state: 'failed', name: 'scanner' });
  const { body: pipelines } = await forgelog.get(`${at}/pipelines`);
  expect(await shown()).toEqual(['failed', pipelines[0]]);
  await forgelog.post(`${at}/statuses/${made.id}`, { state: 'success', name: 'scanner' });
  expect((await shown())[0]).toBe('success');
  expect(await shown(reader.token)).toEqual([null, null]);
  await forgelog.put(at, { public_builds: true });
  expect((await shown(reader.token))[0]).toBe('success');
  await forgelog.delete(`${at}/pipelines/${pipelines[0].id}`);
  expect(await shown()).toEqual([null, null]);
});
