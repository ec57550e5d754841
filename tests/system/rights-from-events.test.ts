import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createToken } from '../support/accounts.ts';
import { type AsyncApi, EventTables, type PublishedEvent } from '../support/event-tables.ts';
import { eventually } from '../support/eventually.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { createRandom, faultRounds, faultSeed } from '../support/random.ts';

const DAY_MS = 86_400_000;
const COMMANDS = 300;
const CHECKS = 6;
/** More than the season has, so that nothing is deleted because it is due. */
const environment = { DELETION_ADJOURNED_PERIOD: '90' };
const LEVELS = [5, 10, 20, 30, 40, 50];
const VISIBILITIES = ['private', 'internal', 'public'] as const;

/** Deletions whose consequences all readers see at once, by name of the command: the type of their event. */
const DELETIONS: Readonly<Record<string, string>> = {
  'group gone': 'GroupDeleted',
  'user gone': 'UserDeleted',
};

interface Marked {
  marked_for_deletion_on: string | null;
}
interface Listed {
  id: number;
  username: string;
}

async function everything(forgelog: Forgelog, path: string): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for (let page = 1; ; page++) {
    const reply = await forgelog.get(`${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`);
    expect(reply.status, path).toBe(200);
    found.push(...reply.body);
    if (reply.body.length < 100) return found;
  }
}

/** Reads what is published after the position of the tables, up to a type or all, as docs/feed.md says. */
async function follow({ url, rootToken }: Forgelog, tables: EventTables, upTo?: string): Promise<void> {
  for (let isCaughtUp = false; !isCaughtUp; ) {
    const after = tables.position === '' ? '' : `&after=${tables.position}`;
    const page = await fetch(`${url}/api/v4/event_stream?limit=500${after}`, {
      headers: { 'PRIVATE-TOKEN': rootToken, Accept: 'application/x-ndjson' },
    });
    expect(page.status).toBe(200);
    const lines = (await page.text()).split('\n').filter((line) => line !== '');
    for (const line of lines) {
      const event = JSON.parse(line) as PublishedEvent;
      tables.apply(event);
      if (event.type === upTo) return;
    }
    isCaughtUp = page.headers.get('x-caught-up') === 'true';
  }
}

const byId = (rows: readonly Record<string, unknown>[], level = 'access_level') =>
  new Map(rows.map((row) => [row.id as number, row[level]] as [number, number]));
const sorted = (numbers: Iterable<number>) => [...numbers].toSorted((a, b) => a - b);
const entries = (levels: ReadonlyMap<number, number>) => [...levels].toSorted(([a], [b]) => a - b);

/** Holds the tables against the answers of the API. @returns how many lists it compared */
async function compare(
  forgelog: Forgelog,
  tables: EventTables,
  { today, tokens }: { today: string; tokens: ReadonlyMap<number, string> },
): Promise<number> {
  const groups = await everything(forgelog, '/groups');
  const projects = await everything(forgelog, '/projects');
  const ids = (kind: string, id: string) => sorted(tables.all(kind).map((record) => record[id] as number));
  expect(ids('Group', 'groupId')).toEqual(sorted(groups.map(({ id }) => id as number)));
  expect(ids('Project', 'projectId')).toEqual(sorted(projects.map(({ id }) => id as number)));
  for (const { id, visibility } of groups) {
    const groupId = id as number;
    expect(tables.find('Group', ['groupId'], { groupId })!.visibility, `group ${id}`).toBe(visibility);
    const members = await everything(forgelog, `/groups/${id}/members/all`);
    expect(entries(tables.groupMembers(groupId, today)), `members of group ${id}`).toEqual(
      entries(byId(members)),
    );
  }
  for (const { id, visibility, archived } of projects) {
    const projectId = id as number;
    expect(tables.find('Project', ['projectId'], { projectId }), `project ${id}`).toMatchObject({
      visibility,
      archived,
    });
    const members = await everything(forgelog, `/projects/${id}/members/all`);
    expect(entries(tables.projectMembers(projectId, today)), `members of project ${id}`).toEqual(
      entries(byId(members)),
    );
  }
  // Administrators see the issues of a deleted group until each of its projects is deleted, too.
  const listed = async () =>
    (await everything(forgelog, '/issues?scope=all&non_archived=false')).map(({ id }) => id);
  const issues = ids('Issue', 'issueId');
  await expect.poll(async () => sorted((await listed()) as number[])).toEqual(issues);
  const users = await everything(forgelog, '/users');
  expect(ids('User', 'userId')).toEqual(sorted(users.map(({ id }) => id as number)));
  for (const { id, state } of users)
    expect(tables.find('User', ['userId'], { userId: id })!.state, `user ${id}`).toBe(state);
  let lists = groups.length + projects.length + 4;
  for (const [userId, token] of tokens) {
    const user = tables.find('User', ['userId'], { userId });
    const reply = await forgelog.get('/projects?per_page=100&simple=true', { token });
    if (user?.state !== 'active') {
      expect(reply.status, `user ${userId}`).toBeGreaterThanOrEqual(401);
      continue;
    }
    const visible = (reply.body as Listed[]).map(({ id }) => id);
    expect(sorted(tables.visibleProjects(userId, today)), `projects that user ${userId} sees`).toEqual(
      sorted(visible),
    );
    const todos = (await forgelog.get('/todos?per_page=100', { token })).body as Listed[];
    const own = tables.all('Todo').filter((todo) => todo.userId === userId && todo.state === 'pending');
    expect(sorted(own.map(({ todoId }) => todoId as number))).toEqual(
      expect.arrayContaining(sorted(todos.map(({ id }) => id))),
    );
    lists += 2;
  }
  return lists;
}

test.each(Array.from({ length: faultRounds(1) }, (_, round) => faultSeed + round))(
  'a consumer of events alone knows who could do what, after a random season with seed %i',
  { timeout: 600_000 },
  async (seed) => {
    const { below, pick } = createRandom(seed);
    const chance = (percent: number) => below(100) < percent;
    const dataDir = await mkdtemp(join(tmpdir(), 'forgelog-season-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    let now = Date.parse('2026-03-01T08:00:00Z');
    const start = () => startForgelog({ dataDir, environment, clock: () => new Date(now) });
    let forgelog = await start();
    onTestFinished(() => forgelog.stop());
    const today = (days = 0) => new Date(now + days * DAY_MS).toISOString().slice(0, 10);
    const document = (await forgelog.get('/asyncapi.json')).body as AsyncApi;
    const tables = new EventTables(document);
    const tokens = new Map<number, string>();
    const idsOf = async (path: string) =>
      ((await forgelog.get(`${path}?per_page=100`)).body as Listed[]).map(({ id }) => id);
    let number = 0;
    const done = new Map<string, number>();

    const tries: [name: string, weight: number, act: () => Promise<{ status: number }>][] = [
      [
        'user',
        8,
        async () => {
          const username = `user${++number}`;
          const account = { username, name: username, email: `${username}@example.org` };
          const more = { force_random_password: true, skip_confirmation: true };
          const kind = { admin: chance(10), external: chance(20) };
          const reply = await forgelog.post('/users', { ...account, ...more, ...kind });
          if (reply.status === 201) tokens.set(reply.body.id, await createToken(forgelog, reply.body.id));
          return reply;
        },
      ],
      [
        'group',
        9,
        async () => {
          const path = `group${++number}`;
          const parents = await idsOf('/groups');
          const parent_id = parents.length > 0 && chance(60) ? pick(parents) : undefined;
          const token = tokens.size > 0 && chance(40) ? pick([...tokens.values()]) : undefined;
          const visibility = parent_id === undefined ? pick(VISIBILITIES) : undefined;
          return forgelog.post('/groups', { name: path, path, parent_id, visibility }, { token });
        },
      ],
      [
        'project',
        14,
        async () => {
          const name = `project${++number}`;
          const namespaces = await idsOf('/groups');
          const namespace_id = namespaces.length > 0 && chance(60) ? pick(namespaces) : undefined;
          const token = tokens.size > 0 && chance(50) ? pick([...tokens.values()]) : undefined;
          const visibility = chance(50) ? pick(VISIBILITIES) : undefined;
          return forgelog.post('/projects', { name, namespace_id, visibility }, { token });
        },
      ],
      ['group member', 16, () => member('groups')],
      ['project member', 14, () => member('projects')],
      ['other level', 8, () => changeMember(pick(['groups', 'projects']))],
      ['member gone', 6, () => removeMember(pick(['groups', 'projects']))],
      ['share', 8, () => inProject((id) => inGroup((group_id) => share(`/projects/${id}`, group_id)))],
      ['group share', 5, () => inGroup((id) => inGroup((group_id) => share(`/groups/${id}`, group_id)))],
      ['share gone', 2, () => inProject((id) => unshare(`/projects/${id}`))],
      ['group share gone', 2, () => inGroup((id) => unshare(`/groups/${id}`))],
      ['issue', 10, () => inProject((id) => forgelog.post(`/projects/${id}/issues`, { title: 'It' }))],
      [
        'todo',
        5,
        () =>
          inProject(async (id) => {
            const issues = (await forgelog.get(`/projects/${id}/issues`)).body as { iid: number }[];
            if (issues.length === 0) await forgelog.post(`/projects/${id}/issues`, { title: 'It' });
            if (issues.length === 0 || tokens.size === 0) return { status: 404 };
            const token = chance(50) ? undefined : pick([...tokens.values()]);
            return forgelog.post(`/projects/${id}/issues/${pick(issues).iid}/todo`, {}, { token });
          }),
      ],
      ['rename', 5, () => inProject((id) => forgelog.put(`/projects/${id}`, { path: `moved${++number}` }))],
      [
        'other visibility',
        4,
        () => inProject((id) => forgelog.put(`/projects/${id}`, { visibility: pick(VISIBILITIES) })),
      ],
      [
        'transfer',
        4,
        () =>
          inProject((id) =>
            chance(60)
              ? inGroup((namespace) => forgelog.put(`/projects/${id}/transfer`, { namespace }))
              : withUser(async (user) => {
                  const { username: namespace } = (await forgelog.get(`/users/${user}`)).body;
                  return forgelog.put(`/projects/${id}/transfer`, { namespace });
                }),
          ),
      ],
      ['archive', 3, () => inProject((id) => forgelog.post(`/projects/${id}/${pick(['', 'un'])}archive`))],
      ['project marked', 4, () => inProject((id) => forgelog.delete(`/projects/${id}`))],
      ['project restored', 4, () => inMarked('projects', (id) => forgelog.post(`/projects/${id}/restore`))],
      ['project gone', 3, () => inProject((id) => deleteForGood(`/projects/${id}`))],
      [
        'group renamed',
        3,
        () => inGroup((id) => forgelog.put(`/groups/${id}`, { path: `moved${++number}` })),
      ],
      [
        'group more or less open',
        3,
        () => inGroup((id) => forgelog.put(`/groups/${id}`, { visibility: pick(VISIBILITIES) })),
      ],
      ['group marked', 2, () => inGroup((id) => forgelog.delete(`/groups/${id}`))],
      ['group restored', 4, () => inMarked('groups', (id) => forgelog.post(`/groups/${id}/restore`))],
      ['group gone', 2, () => inGroup((id) => deleteForGood(`/groups/${id}`))],
      ['block', 3, () => withUser((id) => forgelog.post(`/users/${id}/${pick(['', 'un'])}block`))],
      [
        'other kind of user',
        3,
        () => withUser((id) => forgelog.put(`/users/${id}`, { external: chance(50), admin: chance(20) })),
      ],
      ['user gone', 2, () => withUser((id) => forgelog.delete(`/users/${id}`))],
      ['user gone with groups', 1, () => withUser((id) => forgelog.delete(`/users/${id}?hard_delete=true`))],
      [
        'days',
        4,
        async () => {
          now += (1 + below(3)) * DAY_MS;
          return { status: 200 };
        },
      ],
    ];

    const inProject = async (act: (id: number) => Promise<{ status: number }>) => {
      const all = await idsOf('/projects');
      return all.length > 0 ? act(pick(all)) : { status: 404 };
    };
    const inGroup = async (act: (id: number) => Promise<{ status: number }>) => {
      const all = await idsOf('/groups');
      return all.length > 0 ? act(pick(all)) : { status: 404 };
    };
    const inMarked = async (
      places: 'groups' | 'projects',
      act: (id: number) => Promise<{ status: number }>,
    ) => {
      const all = (await forgelog.get(`/${places}?per_page=100`)).body as (Listed & Marked)[];
      const marked = all.filter(({ marked_for_deletion_on: day }) => day !== null);
      return marked.length > 0 ? act(pick(marked).id) : { status: 404 };
    };
    const deleteForGood = async (path: string) => {
      await forgelog.delete(path);
      const { full_path = '', path_with_namespace } = (await forgelog.get(path)).body;
      const named = encodeURIComponent(path_with_namespace ?? full_path);
      return forgelog.delete(`${path}?permanently_remove=true&full_path=${named}`);
    };
    const withUser = async (act: (id: number) => Promise<{ status: number }>) => {
      const all = (await idsOf('/users')).filter((id) => id !== 1);
      return all.length > 0 ? act(pick(all)) : { status: 404 };
    };
    const inPlace = (places: 'groups' | 'projects') => (places === 'groups' ? inGroup : inProject);
    const until = () => (chance(40) ? today(1 + below(4)) : undefined);
    const member = (places: 'groups' | 'projects') =>
      inPlace(places)((id) =>
        withUser((user_id) => {
          const access_level = pick(LEVELS);
          return forgelog.post(`/${places}/${id}/members`, { user_id, access_level, expires_at: until() });
        }),
      );
    const someMember = (places: 'groups' | 'projects', act: (path: string) => Promise<{ status: number }>) =>
      inPlace(places)(async (id) => {
        const members = await idsOf(`/${places}/${id}/members`);
        return members.length > 0 ? act(`/${places}/${id}/members/${pick(members)}`) : { status: 404 };
      });
    const share = (place: string, group_id: number) =>
      forgelog.post(`${place}/share`, {
        ...{ group_id, group_access: pick([10, 20, 30, 40]), expires_at: until() },
      });
    const unshare = async (place: string) => {
      const shares: { group_id: number }[] = (await forgelog.get(place)).body.shared_with_groups ?? [];
      if (shares.length > 0) return forgelog.delete(`${place}/share/${pick(shares).group_id}`);
      // Where chance ended all of them, the next try finds one.
      await inGroup((group_id) => share(place, group_id));
      return { status: 404 };
    };
    const changeMember = (places: 'groups' | 'projects') =>
      someMember(places, (path) => forgelog.put(path, { access_level: pick(LEVELS), expires_at: until() }));
    const removeMember = (places: 'groups' | 'projects') =>
      someMember(places, (path) => forgelog.delete(path));

    async function catchUp(): Promise<void> {
      await eventually('policies rest', () => forgelog.system.projectors.policiesIdle());
      await follow(forgelog, tables);
    }

    const drawn = tries.flatMap(([name, weight, act]) =>
      Array.from({ length: weight }, () => [name, act] as const),
    );
    let lists = 0;
    for (let command = 1; command <= COMMANDS; command++) {
      const [name, act] =
        command <= 12 ? (tries[command % 3]!.toSpliced(1, 1) as [string, (typeof tries)[0][2]]) : pick(drawn);
      const deletion = DELETIONS[name];
      if (deletion) await catchUp();
      const { status } = await act();
      expect(status, name).toBeLessThan(500);
      if (status < 300) done.set(name, (done.get(name) ?? 0) + 1);
      if (deletion && status < 300) {
        // The rules alone, before what follows from the deletion.
        await follow(forgelog, tables, deletion);
        lists += await compare(forgelog, tables, { today: today(), tokens });
      }
      if (command % (COMMANDS / CHECKS) !== 0) continue;
      // Half of the times while consequences are still on their way.
      if (chance(50)) await catchUp();
      else await follow(forgelog, tables);
      lists += await compare(forgelog, tables, { today: today(), tokens });
      await forgelog.stop();
      forgelog = await start();
    }
    expect(lists).toBeGreaterThan(100);
    // What chance left out still happens before the last comparison.
    for (const [name, , act] of tries)
      for (let more = 0; more < 100 && !done.has(name); more++)
        if ((await act()).status < 300) done.set(name, 1);
    for (const [name] of tries) expect(done.get(name) ?? 0, name).toBeGreaterThan(0);

    // In the end every membership and token that is over has an event that says so.
    now += 5 * DAY_MS;
    await forgelog.stop();
    forgelog = await start();
    await eventually('ends of all that expired', async () => {
      await follow(forgelog, tables);
      const kinds = ['GroupMembership', 'ProjectMembership', 'ProjectGroupLink', 'GroupGroupLink'];
      const all = kinds.flatMap((kind) => tables.all(kind));
      return all.every(({ expiresAt }) => expiresAt === null || (expiresAt as string) > today());
    });
    await compare(forgelog, tables, { today: today(), tokens });
  },
);
