import {
  ciTemplates,
  dockerfileTemplates,
  getLicenseTemplate,
  getProjectTemplate,
  gitignoreTemplates,
  listLicenseTemplates,
  listProjectTemplates,
} from '@forgelog/contracts/repo/templates/template.api.ts';
import { memberAdded, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { templateSlice } from './template.slice.ts';

const OWNER = 1;
const GUEST = 2;
const given = [...[OWNER, GUEST].map((id) => userCreated(id)), projectCreated(7), memberAdded(7, GUEST, 10)];
const clock = () => new Date('2031-05-01T00:00:00Z');
const start = () => startRepoSlices([templateSlice], given, clock);

test.each([
  ['dockerfile', dockerfileTemplates, /^FROM /m],
  ['gitignore', gitignoreTemplates, /\S/],
  ['gitlab_ci_yml', ciTemplates, /script:/],
] as const)('every %s of the list is there, and others are not', async (what, { list, get }, form) => {
  const { call } = await start();
  const { body } = await call(list, { per_page: 100 }, null);
  expect(body.length).toBeGreaterThan(8);
  for (const { key, name } of body) {
    const one = await call(get, { name: key }, null);
    expect(one).toMatchObject({ status: 200, body: { name, content: expect.stringMatching(form) } });
  }
  for (const name of ['../gitignores/Node', 'none'])
    expect(await call(get, { name }, null)).toMatchObject({
      status: 404,
      body: { message: `404 ${what} Not Found` },
    });
});

test('every configuration of pipelines has a job, and there are more than a page of them', async () => {
  const { call } = await start();
  const { body } = await call(ciTemplates.list, { per_page: 100 }, null);
  expect(body.length).toBeGreaterThan(20);
  for (const { key } of body) {
    const { content } = (await call(ciTemplates.get, { name: key }, null)).body;
    const jobs = Object.values(parse(content)).filter((value) => (value as { script?: unknown })?.script);
    expect([key, jobs.length]).toEqual([key, key === 'Getting-Started' ? 3 : 1]);
  }
});

test('licences have their texts, with year and name filled in', async () => {
  const { call } = await start();
  const { body } = await call(listLicenseTemplates, { per_page: 100 }, null);
  expect(body).toHaveLength(13);
  for (const { name, content } of body) expect([name, content.length > 500]).toEqual([name, true]);
  const popular = await call(listLicenseTemplates, { popular: true }, null);
  expect(popular.body.map(({ key }: { key: string }) => key)).toEqual(['apache-2.0', 'gpl-3.0', 'mit']);
  const content = async (params: { name: string }, by: number | null) =>
    (await call(getLicenseTemplate, params, by)).body.content;
  expect(await content({ name: 'MIT' }, null)).toContain('Copyright (c) 2031 <copyright holders>');
  expect(await content({ name: 'mit' }, OWNER)).toContain('Copyright (c) 2031 User 1');
  const named = { name: 'gpl-3.0', fullname: 'A $& B', project: 'Turbine' };
  expect(await content(named, OWNER)).toMatch(/Turbine\s+Copyright (\(C\)|©) 2031\s+A \$& B/);
  expect(await call(getLicenseTemplate, { name: 'none' }, null)).toMatchObject({
    status: 404,
    body: { message: '404 License Not Found' },
  });
});

test('a project has the templates of its default branch, for whoever sees the code', async () => {
  const { call, commit } = await start();
  const path = '.gitlab/issue_templates';
  const list = (type: string, by: number) => call(listProjectTemplates, { id: 7, type }, by);
  expect((await list('issues', OWNER)).body).toEqual([]);
  await commit(7, 'main', {
    ...{ [`${path}/Bug.md`]: 'What happens?\n', [`${path}/notes.txt`]: 'x', [`${path}/a/B.md`]: 'x' },
    'README.md': 'x',
  });
  const bug = { id: 7, type: 'issues', name: 'Bug' };
  expect((await list('issues', OWNER)).body).toEqual([{ key: 'Bug', name: 'Bug' }]);
  expect(await call(getProjectTemplate, bug, OWNER)).toMatchObject({
    status: 200,
    body: { name: 'Bug', content: 'What happens?\n' },
  });
  expect((await list('issues', GUEST)).body).toEqual([]);
  expect((await list('merge_requests', OWNER)).body).toEqual([]);
  expect((await list('licenses', GUEST)).body).toContainEqual({ key: 'mit', name: 'MIT License' });
  expect((await call(getProjectTemplate, bug, GUEST)).status).toBe(404);
  for (const name of ['a/B', '../../README', 'notes.txt'])
    expect((await call(getProjectTemplate, { ...bug, name }, OWNER)).status).toBe(404);
  const license = { id: 7, type: 'licenses', name: 'mit', fullname: 'Ann' };
  expect((await call(getProjectTemplate, license, OWNER)).body.content).toContain('2031 Ann');
  const node = { id: 7, type: 'gitignores', name: 'Node' };
  expect((await call(getProjectTemplate, node, OWNER)).body.content).toContain('node_modules/');
});
