import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../support/cluster.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

test('a project, an issue and a group go through four services as through one', async () => {
  const project = await cluster.post('/projects', { name: 'apart', initialize_with_readme: true });
  expect(project.status).toBe(201);
  expect(project.body.web_url).toBe(`${cluster.url}/root/apart`);
  const issue = await cluster.post(`/projects/${project.body.id}/issues`, { title: 'First' });
  expect(issue.status).toBe(201);
  expect(issue.body).toMatchObject({ iid: 1, author: { username: 'root' } });
  const file = await cluster.get(`/projects/root%2Fapart/repository/files/README.md?ref=main`);
  expect(file.status).toBe(200);
  const group = await cluster.post('/groups', { name: 'Team', path: 'team' });
  expect(group.status).toBe(201);
  const inside = await cluster.post('/projects', { name: 'inside', namespace_id: group.body.id });
  expect(inside.status).toBe(201);
  const listed = await cluster.get('/groups/team/projects');
  expect(listed.body.map((each: { path: string }) => each.path)).toEqual(['inside']);
  expect((await cluster.get('/version')).status).toBe(200);
});
