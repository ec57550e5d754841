import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

test('a project is created, read, changed, archived and deleted', async () => {
  const created = await forgelog.post('/projects', { name: 'Hello World' });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    name: 'Hello World',
    path: 'hello-world',
    path_with_namespace: 'root/hello-world',
    name_with_namespace: 'Administrator / Hello World',
    default_branch: null,
    empty_repo: true,
  });
  const got = await forgelog.get(`/projects/${created.body.id}`);
  expect(got.body).toEqual(created.body);
  const readme = await forgelog.post('/projects', { name: 'r', initialize_with_readme: true });
  expect(readme.body).toMatchObject({ default_branch: 'main', empty_repo: false });
  expect((await forgelog.delete(`/projects/${created.body.id}`)).status).toBe(202);
});
