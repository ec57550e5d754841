import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type FaultServer, type FaultWorld, faultWorld } from '../support/fault-world.ts';
import { apiOf, ROOT_TOKEN } from '../support/mixed-load.ts';
import { faultRounds } from '../support/random.ts';
import { git } from '../support/stock-git.ts';

vi.setConfig({ testTimeout: 300_000 });

const program = resolve(import.meta.dirname, '../support/stopping-server.ts');
const PROJECT = '/projects/1';
const PLACES = ['root', 'team'] as const;
const moved = { namespace: 'team' };

const urlOf = ({ address }: FaultServer, path: string) =>
  `${address.replace('://', `://root:${ROOT_TOKEN}@`)}/${path}.git`;

async function prepared(world: FaultWorld): Promise<void> {
  const server = await world.start();
  const api = apiOf(server.address);
  await api('POST', '/projects', { name: 'thing', path: 'thing', initialize_with_readme: true });
  await api('POST', '/groups', { name: 'team', path: 'team' });
  await server.stop();
}

/** What is wrong: the project is in one of both places, with its commits, and its name in the other one is free. */
async function check(world: FaultWorld, server: FaultServer): Promise<string[]> {
  const api = apiOf(server.address);
  const { body: project } = await api('GET', PROJECT);
  const path: string = project.path_with_namespace;
  const [here, there] = path === 'team/thing' ? ['team', 'root'] : ['root', 'team'];
  const wrong: string[] = [];
  if (path !== `${here}/thing`) wrong.push(`it is at ${path}`);
  if (!PLACES.some((place) => place === project.namespace.path))
    wrong.push(`it is in ${project.namespace.path}`);
  if (!(await git(world.folder, 'ls-remote', urlOf(server, path))).includes('refs/heads/main'))
    wrong.push('its branch is gone');
  const { body: group } = await api('GET', '/groups/team');
  const free = { name: 'thing', path: 'thing', ...(there === 'team' && { namespace_id: group.id }) };
  const { body: other } = await eventually(
    'the name that it does not have is free',
    () => api('POST', '/projects', free),
    { until: ({ status }) => status === 201 },
  );
  if (other.path_with_namespace !== `${there}/thing`)
    wrong.push(`another one got ${other.path_with_namespace}`);
  if ((await api('PUT', `${PROJECT}/transfer`, { namespace: there })).status !== 400)
    wrong.push('it went where another one is');
  await api('PUT', `/projects/${other.id}`, { name: 'other', path: 'other' });
  const { status, body } = await api('PUT', `${PROJECT}/transfer`, { namespace: there });
  if (status !== 200 || body.path_with_namespace !== `${there}/thing`)
    wrong.push(`it cannot be moved again: ${status} ${JSON.stringify(body)}`);
  return wrong;
}

/** The first ones run in `npm test`. */
const KILLS = [
  ['before', 'ProjectTransferred', 'root'],
  ['after', 'ProjectTransferred', 'team'],
  ['before', 'NameReleased', 'team'],
  ['before', 'NameClaimed', 'root'],
  ['after', 'NameClaimed', 'root'],
  ['after', 'NameReleased', 'team'],
] as const;

test.each(KILLS.slice(0, faultRounds(3, KILLS.length)))(
  'killed %s the append of %s, a project is whole in %s, and its other name is free',
  async (at, type, place) => {
    const world = await faultWorld();
    await prepared(world);
    const dying = await world.start({ program, environment: { FAULT_AT: at, FAULT_OF: type } });
    await expect(apiOf(dying.address)('PUT', `${PROJECT}/transfer`, moved)).rejects.toThrow();
    expect(await dying.ended).toBe('SIGKILL');
    const wrong = await world.inspect(async (server) => {
      const { body } = await apiOf(server.address)('GET', PROJECT);
      const isThere = body.path_with_namespace === `${place}/thing`;
      return [...(isThere ? [] : [`it is at ${body.path_with_namespace}`]), ...(await check(world, server))];
    });
    expect(wrong).toEqual([]);
  },
);

/** After the personal namespace of root. */
const [TEAM, INNER] = [2, 3] as const;

/** What is wrong: the group is in one of both places with its project, its other name is free, and groups move on. */
async function checkGroup(world: FaultWorld, server: FaultServer, place: string): Promise<string[]> {
  const api = apiOf(server.address);
  const { body: group } = await api('GET', `/groups/${INNER}`);
  const wrong: string[] = [];
  if (group.full_path !== place) wrong.push(`it is at ${group.full_path}`);
  const { body: project } = await api('GET', PROJECT);
  if (project.path_with_namespace !== `${place}/thing`)
    wrong.push(`its project is at ${project.path_with_namespace}`);
  if (!(await git(world.folder, 'ls-remote', urlOf(server, `${place}/thing`))).includes('refs/heads/main'))
    wrong.push('the branch of its project is gone');
  const there = place === 'inner' ? { parent_id: TEAM } : {};
  await eventually(
    'the name that it does not have is free',
    () => api('POST', '/groups', { name: 'inner', path: 'inner', ...there }),
    { until: ({ status }) => status === 201 },
  );
  // Whoever died holds nothing that others wait for without an end.
  const other = (await api('POST', '/groups', { name: 'other', path: 'other' })).body;
  const { status, body } = await api('POST', `/groups/${other.id}/transfer`, { group_id: INNER });
  if (status !== 201 || body.full_path !== `${place}/other`)
    wrong.push(`no other group can move: ${status} ${JSON.stringify(body)}`);
  return wrong;
}

const GROUP_KILLS = [
  ['before', 'GroupTransferred', 'inner'],
  ['after', 'GroupTransferred', 'team/inner'],
  ['after', 'NameClaimed', 'inner'],
  ['before', 'NameReleased', 'team/inner'],
] as const;

test.each(GROUP_KILLS.slice(0, faultRounds(1, GROUP_KILLS.length)))(
  'killed %s the append of %s, a group is whole in %s, and others can move',
  async (at, type, place) => {
    const world = await faultWorld();
    const first = await world.start();
    const prepare = apiOf(first.address);
    for (const name of ['team', 'inner']) await prepare('POST', '/groups', { name, path: name });
    const thing = { name: 'thing', path: 'thing', namespace_id: INNER, initialize_with_readme: true };
    await prepare('POST', '/projects', thing);
    await first.stop();
    const dying = await world.start({ program, environment: { FAULT_AT: at, FAULT_OF: type } });
    await expect(
      apiOf(dying.address)('POST', `/groups/${INNER}/transfer`, { group_id: TEAM }),
    ).rejects.toThrow();
    expect(await dying.ended).toBe('SIGKILL');
    expect(await world.inspect((server) => checkGroup(world, server, place))).toEqual([]);
  },
);
