import { newSshKey } from '@forgelog/signatures/testing/sample-keys.ts';
import { expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { forgelogForTest } from '../support/forgelog.ts';
import { must } from '../support/must.ts';

test('a setting acts on the next call, and the environment says what holds until then', async () => {
  const forgelog = await forgelogForTest({ environment: { DELETION_ADJOURNED_PERIOD: '3' } });
  const set = (changes: object) => must(forgelog.put('/application/settings', changes));
  expect(await must(forgelog.get('/application/settings'))).toMatchObject({ deletion_adjourned_period: 3 });
  await set({
    ...{ default_project_visibility: 'internal', default_group_visibility: 'public' },
    ...{ default_branch_name: 'trunk', default_ci_config_path: 'ci/all.yml', default_project_creation: 1 },
    ...{ default_projects_limit: 1, deletion_adjourned_period: 0 },
  });
  const group = await must(forgelog.post('/groups', { name: 'g', path: 'g' }));
  expect(group).toMatchObject({ visibility: 'public', project_creation_level: 'maintainer' });
  const made = { name: 'p', namespace_id: group.id, initialize_with_readme: true };
  const project = await must(forgelog.post('/projects', made));
  expect(project).toMatchObject({
    ...{ visibility: 'internal', default_branch: 'trunk', ci_config_path: 'ci/all.yml' },
  });
  const ada = await createUser(forgelog);
  const first = await forgelog.post('/projects', { name: 'one' }, { token: ada.token });
  const second = await forgelog.post('/projects', { name: 'two' }, { token: ada.token });
  expect([first.status, second.status]).toEqual([201, 403]);
  await must(forgelog.delete(`/projects/${project.id}`));
  expect((await forgelog.get(`/projects/${project.id}`)).status).toBe(404);
});

test('a restricted level is for administrators alone, and closes the list of users', async () => {
  const forgelog = await forgelogForTest();
  const ada = await createUser(forgelog);
  const restricted = { restricted_visibility_levels: ['public'] };
  await must(forgelog.put('/application/settings', { ...restricted, default_project_visibility: 'public' }));
  const refused = { visibility_level: ['public has been restricted by your administrator'] };
  expect(
    await forgelog.post('/projects', { name: 'p', visibility: 'public' }, { token: ada.token }),
  ).toMatchObject({
    ...{ status: 400, body: { message: refused } },
  });
  const project = await must(forgelog.post('/projects', { name: 'p' }, { token: ada.token }));
  expect(project.visibility).toBe('internal');
  expect(
    (await forgelog.put(`/projects/${project.id}`, { visibility: 'public' }, { token: ada.token })).body
      .message,
  ).toEqual(refused);
  const mine = await must(forgelog.post('/projects', { name: 'q', visibility: 'public' }));
  expect(mine.visibility).toBe('public');
  const anonymous = { token: null };
  expect((await forgelog.get('/users', anonymous)).status).toBe(403);
  expect((await forgelog.get(`/users/${ada.id}`, anonymous)).status).toBe(404);
  expect((await forgelog.get('/users', { token: ada.token })).status).toBe(200);
});

test('keys are taken by kind and length', async () => {
  const forgelog = await forgelogForTest();
  const key = { title: 'Laptop', key: newSshKey() };
  await must(forgelog.put('/application/settings', { ed25519_key_restriction: -1 }));
  expect(await forgelog.post('/user/keys', key)).toMatchObject({
    ...{ status: 400, body: { message: { key: ['ED25519 keys are not allowed'] } } },
  });
  await must(forgelog.put('/application/settings', { ed25519_key_restriction: 256 }));
  expect((await forgelog.post('/user/keys', key)).status).toBe(201);
});
