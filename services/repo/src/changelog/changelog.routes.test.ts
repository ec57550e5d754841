import { createChangelog, getChangelog } from '@forgelog/contracts/repo/repositories/repository.api.ts';
import { projectCreated } from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { changelogSlice } from './changelog.slice.ts';

const given = [...team, projectCreated(8)];

/** A project with a change that carries the trailer. */
async function started() {
  const running = await startRepoSlices([changelogSlice], given, () => new Date('2030-01-01T00:00:00Z'));
  const start = await running.commit(7, 'main', { a: '1' }, 'Begin');
  const added = await running.commit(7, 'main', { a: '2' }, 'Add search\n\nChangelog: added');
  await running.commit(7, 'main', { a: '3' }, 'Tidy up');
  const section = `## 1.1.0 (2030-01-01)\n\n### added (1 change)\n\n- [Add search](user1/project7@${added})\n\n`;
  return { ...running, section, wanted: { id: 7, version: '1.1.0', from: start } };
}

test('a reporter reads the section of a version, and nothing is committed', async () => {
  const { call, section, wanted } = await started();
  expect(await call(getChangelog, wanted, REPORTER)).toMatchObject({
    status: 200,
    body: { notes: section },
    events: [],
  });
});

test('a developer commits it before older sections', async () => {
  const { call, commit, repo, section, wanted } = await started();
  const tip = await commit(7, 'main', { 'CHANGELOG.md': '## 1.0.0\n' });
  const reply = await call(createChangelog, wanted, DEVELOPER);
  expect(reply).toMatchObject({
    status: 200,
    body: 200,
    events: [
      { data: { ref: 'refs/heads/main', oldOid: tip, commitTitle: 'Add changelog for version 1.1.0' } },
      { type: 'PushReceived' },
    ],
  });
  const repository = repo.repositories.of(7);
  const file = await repository.file((await repository.readRef('refs/heads/main'))!, 'CHANGELOG.md', 1000);
  expect(String(file?.content)).toBe(`${section}## 1.0.0\n`);
});

test('a reporter commits nothing, and others do not see the project', async () => {
  const { call, wanted } = await started();
  const refused = [];
  for (const caller of [REPORTER, OUTSIDER, null]) refused.push(await call(createChangelog, wanted, caller));
  expect(refused.map(({ status }) => status)).toEqual([403, 404, 401]);
  expect(refused.flatMap(({ events }) => events)).toEqual([]);
  expect((await call(getChangelog, wanted, OUTSIDER)).status).toBe(404);
});

test('what is wrong is said, and nothing is committed', async () => {
  const { call, wanted } = await started();
  for (const [params, status, body] of [
    [{ ...wanted, version: 'soon' }, 400, { error: 'version is invalid' }],
    [{ ...wanted, trailer: '' }, 400, { error: 'trailer is empty' }],
    [{ ...wanted, from: 'nothing' }, 404, { message: '404 Commit Not Found' }],
    [
      { id: 7, version: '1.1.0' },
      422,
      { message: expect.stringContaining('no previous tag could be found') },
    ],
  ] as const)
    for (const endpoint of [getChangelog, createChangelog])
      expect(await call(endpoint, params, OWNER)).toMatchObject({ status, body, events: [] });
  for (const elsewhere of [
    { ...wanted, branch: 'nothing' },
    { ...wanted, id: 8 },
  ])
    expect(await call(createChangelog, elsewhere, OWNER)).toMatchObject({
      status: 404,
      body: { message: '404 Branch Not Found' },
      events: [],
    });
});
