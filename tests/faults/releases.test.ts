import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { faultWorld } from '../support/fault-world.ts';
import { apiOf } from '../support/mixed-load.ts';

vi.setConfig({ testTimeout: 300_000 });

const program = resolve(import.meta.dirname, '../support/stopping-server.ts');
const PROJECT = '/projects/1';
const RELEASE = {
  ...{ tag_name: 'v1', ref: 'main', name: 'First' },
  assets: { links: [{ name: 'Binary', url: 'https://example.com/b' }] },
};

/** `again` is what a repeat of the killed call answers. */
test.each([
  { at: 'before', of: 'RefUpdated', left: { tags: [], releases: [] }, again: 201 },
  { at: 'after', of: 'RefUpdated', left: { tags: ['v1'], releases: [] }, again: 201 },
  { at: 'before', of: 'ReleaseCreated', left: { tags: ['v1'], releases: [] }, again: 201 },
  { at: 'after', of: 'ReleaseCreated', left: { tags: ['v1'], releases: ['v1'] }, again: 409 },
])('killed $at $of, a release is whole or absent, and the same call takes up its tag', async (fault) => {
  const world = await faultWorld();
  const server = await world.start();
  await apiOf(server.address)('POST', '/projects', { name: 'p', initialize_with_readme: true });
  await server.stop();
  const dying = await world.start({ program, environment: { FAULT_AT: fault.at, FAULT_OF: fault.of } });
  await expect(apiOf(dying.address)('POST', `${PROJECT}/releases`, RELEASE)).rejects.toThrow();
  expect(await dying.ended).toBe('SIGKILL');
  const wrong = await world.inspect(async ({ address }) => {
    const api = apiOf(address);
    const namesOf = async (path: string, name: string) =>
      (await api('GET', `${PROJECT}/${path}`)).body.map((one: Record<string, string>) => one[name]);
    const tags = await namesOf('repository/tags', 'name');
    expect({ tags, releases: await namesOf('releases', 'tag_name') }).toEqual(fault.left);
    // What is on main by now is none of the release's.
    const change = { branch: 'main', content: 'x', commit_message: 'Later' };
    const main = (await api('GET', `${PROJECT}/repository/branches/main`)).body.commit.id;
    await api('POST', `${PROJECT}/repository/files/later`, change);
    expect((await api('POST', `${PROJECT}/releases`, RELEASE)).status).toBe(fault.again);
    const { body } = await api('GET', `${PROJECT}/releases/v1`);
    expect(body).toMatchObject({ name: 'First', assets: { count: 5 }, evidences: [{}] });
    expect(body.commit.id === main).toBe(fault.left.tags.length > 0);
    return [];
  });
  expect(wrong).toEqual([]);
});
