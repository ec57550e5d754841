import type { Calls, Reply } from './calls.ts';
import { createRandom } from './random.ts';

type Random = ReturnType<typeof createRandom>;

/** What a season knows of what it made; what was deleted is forgotten. */
interface Known {
  users: { id: number; token: string }[];
  groups: number[];
  projects: number[];
  issues: { project: number; iid: number; notes: number[] }[];
  environments: { project: number; id: number }[];
  periods: { project: number; id: number }[];
}

interface Stage {
  calls: Calls;
  random: Random;
  known: Known;
  now: () => Date;
  /** A number of its own, for names. */
  next: () => number;
  /** Calls as one of the users or as root. */
  send(method: string, path: string, json?: unknown): Promise<Reply>;
}

type Command = (stage: Stage) => Promise<unknown>;

const LEVELS = [10, 20, 30, 40] as const;
const VISIBILITIES = ['private', 'internal', 'public'] as const;
const LABELS = ['bug', 'feature', 'docs', 'later'] as const;

const id = ({ status, body }: Reply): number | undefined => (status < 300 ? body.id : undefined);
const day = (time: number) => new Date(time).toISOString().slice(0, 10);
const DAY_MS = 86_400_000;

const commands: readonly [weight: number, command: Command][] = [
  [4, createUser],
  [
    3,
    ({ send, random, known, next }) => {
      const change = random.pick([
        { name: `Renamed ${next()}` },
        { username: `moved${next()}` },
        { bio: `About ${next()}`, location: 'Here', website_url: '' },
        { external: random.below(2) === 0 },
        { admin: random.below(2) === 0 },
        { public_email: '', job_title: `Job ${next()}` },
      ]);
      return send('PUT', `/users/${random.pick(known.users).id}`, change);
    },
  ],
  [2, ({ send, random, known }) => send('POST', `/users/${random.pick(known.users).id}/block`)],
  [2, ({ send, random, known }) => send('POST', `/users/${random.pick(known.users).id}/unblock`)],
  [1, deleteUser],
  [1, createToken],
  [3, createGroup],
  [
    3,
    ({ send, random, known, next }) =>
      send('PUT', `/groups/${random.pick(known.groups)}`, {
        ...random.pick([
          { name: `Group ${next()}` },
          { path: `renamed${next()}` },
          { description: `${next()}` },
        ]),
        ...random.pick([{}, { lfs_enabled: false }, { visibility: random.pick(VISIBILITIES) }]),
      }),
  ],
  [1, deleteGroup],
  [8, (stage) => addMember(stage, `/groups/${stage.random.pick(stage.known.groups)}`)],
  [8, (stage) => addMember(stage, `/projects/${stage.random.pick(stage.known.projects)}`)],
  [4, (stage) => changeMember(stage, `/groups/${stage.random.pick(stage.known.groups)}`)],
  [4, (stage) => changeMember(stage, `/projects/${stage.random.pick(stage.known.projects)}`)],
  [3, (stage) => removeMember(stage, `/groups/${stage.random.pick(stage.known.groups)}`)],
  [3, (stage) => removeMember(stage, `/projects/${stage.random.pick(stage.known.projects)}`)],
  [6, createProject],
  [
    4,
    ({ send, random, known, next }) =>
      send('PUT', `/projects/${random.pick(known.projects)}`, {
        ...random.pick([
          { name: `Project ${next()}` },
          { path: `renamed${next()}` },
          { description: `${next()}` },
        ]),
        ...random.pick([
          {},
          { visibility: random.pick(VISIBILITIES) },
          { topics: ['a', `t${next()}`], wiki_access_level: 'private', merge_method: 'ff' },
        ]),
      }),
  ],
  [2, ({ send, random, known }) => send('POST', `/projects/${random.pick(known.projects)}/archive`)],
  [2, ({ send, random, known }) => send('POST', `/projects/${random.pick(known.projects)}/unarchive`)],
  [1, deleteProject],
  [4, ({ send, random, known }) => send('POST', `/projects/${random.pick(known.projects)}/star`)],
  [2, ({ send, random, known }) => send('POST', `/projects/${random.pick(known.projects)}/unstar`)],
  [8, commit],
  [3, changeRef],
  [14, openIssue],
  [10, changeIssue],
  [
    9,
    ({ calls, random, known: { issues } }) =>
      calls.put(pathOf(random.pick(issues)), { state_event: 'close' }),
  ],
  [3, deleteIssue],
  [10, comment],
  [4, changeNote],
  [8, bookTime],
  [6, ({ send, random, known: { issues } }) => send('POST', `${pathOf(random.pick(issues))}/todo`)],
  [3, ({ send, random }) => send('POST', random.pick(['/todos/mark_as_done', '/todos/1/mark_as_done']))],
  [4, createEnvironment],
  [4, changeEnvironment],
  [3, createPeriod],
  [3, changePeriod],
];

const total = commands.reduce((sum, [weight]) => sum + weight, 0);

function drawn(ticket: number): Command {
  let passed = 0;
  return commands.find(([weight]) => {
    passed += weight;
    return ticket < passed;
  })![1];
}

/** Random commands on an instance, the same for each seed, with pauses between them that `advance` decides. */
export function createSeason(calls: Calls, seed: number, now: () => Date) {
  const random = createRandom(seed);
  const known: Known = { users: [], groups: [], projects: [], issues: [], environments: [], periods: [] };
  let made = 0;
  const stage: Stage = {
    ...{ calls, random, known, now },
    next: () => ++made,
    async send(method, path, json) {
      const user = random.below(3) === 0 && known.users.length > 0 ? random.pick(known.users) : undefined;
      const reply = await calls.call(method, path, { json, token: user?.token });
      if (reply.status >= 500) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text}`);
      return reply;
    },
  };
  return {
    /** What every later command needs; they may be refused, like those of people. */
    async begin(): Promise<void> {
      for (let count = 0; count < 4; count += 1) await createUser(stage);
      for (let count = 0; count < 3; count += 1) await createGroup(stage);
      while (known.projects.length < 3) await createProject(stage);
      while (known.issues.length < 3) await openIssue(stage);
      while (known.environments.length === 0) await createEnvironment(stage);
      while (known.periods.length === 0) await createPeriod(stage);
    },
    async run(count: number): Promise<void> {
      for (let done = 0; done < count; done += 1) {
        await drawn(random.below(total))(stage);
        // A list that has become empty leaves the next command nothing to choose from.
        while (known.issues.length === 0) await createProject(stage).then(() => openIssue(stage));
      }
    },
  };
}

const pathOf = ({ project, iid }: { project: number; iid: number }) => `/projects/${project}/issues/${iid}`;

async function createUser({ calls, known, next }: Stage): Promise<void> {
  const username = `user${next()}`;
  const email = `${username}@example.org`;
  const user = await calls.post('/users', {
    username,
    name: username,
    email,
    force_random_password: true,
    skip_confirmation: true,
  });
  const userId = id(user);
  if (userId === undefined) return;
  const token = await calls.post(`/users/${userId}/personal_access_tokens`, {
    name: 'season',
    scopes: ['api'],
  });
  known.users.push({ id: userId, token: token.body.token });
}

async function deleteUser({ calls, random, known }: Stage): Promise<void> {
  if (known.users.length < 4) return;
  const user = random.pick(known.users);
  await calls.delete(`/users/${user.id}?hard_delete=${random.below(2) === 0}`);
  known.users = known.users.filter((other) => other !== user);
}

async function createToken({ calls, random, known, now }: Stage): Promise<void> {
  const expires_at = day(now().getTime() + (1 + random.below(20)) * DAY_MS);
  const path = `/users/${random.pick(known.users).id}/personal_access_tokens`;
  await calls.post(path, { name: 'short', scopes: ['read_api'], expires_at });
}

async function createGroup({ calls, random, known, next }: Stage): Promise<void> {
  const parent_id = random.below(2) === 0 && known.groups.length > 0 ? random.pick(known.groups) : undefined;
  const path = `group${next()}`;
  const group = id(
    await calls.post('/groups', {
      name: path,
      path,
      parent_id,
      visibility: parent_id ? 'private' : 'public',
    }),
  );
  if (group !== undefined) known.groups.push(group);
}

async function deleteGroup({ calls, random, known }: Stage): Promise<void> {
  if (known.groups.length < 5) return;
  const group = random.pick(known.groups);
  await calls.delete(`/groups/${group}`);
  known.groups = known.groups.filter((other) => other !== group);
}

async function createProject({ send, random, known, next }: Stage): Promise<void> {
  const where = random.below(3) === 0 ? {} : { namespace_id: random.pick(known.groups) };
  const settings = random.pick([{}, { wiki_enabled: false, topics: ['x'] }, { description: 'What for' }]);
  const path = `project${next()}`;
  const project = id(
    await send('POST', '/projects', { name: path, path, visibility: 'private', ...where, ...settings }),
  );
  if (project !== undefined) known.projects.push(project);
}

async function deleteProject({ calls, random, known }: Stage): Promise<void> {
  if (known.projects.length < 5) return;
  const project = random.pick(known.projects);
  await calls.delete(`/projects/${project}`);
  known.projects = known.projects.filter((other) => other !== project);
  known.issues = known.issues.filter((issue) => issue.project !== project);
}

function addMember({ calls, random, known, now }: Stage, path: string) {
  const expires_at =
    random.below(2) === 0 ? day(now().getTime() + (1 + random.below(30)) * DAY_MS) : undefined;
  const member = { user_id: random.pick(known.users).id, access_level: random.pick(LEVELS), expires_at };
  return calls.post(`${path}/members`, member);
}

function changeMember({ calls, random, known, now }: Stage, path: string) {
  const expires_at = random.pick(['', day(now().getTime() + (1 + random.below(30)) * DAY_MS), undefined]);
  const change = { access_level: random.pick(LEVELS), expires_at };
  return calls.put(`${path}/members/${random.pick(known.users).id}`, change);
}

const removeMember = ({ calls, random, known }: Stage, path: string) =>
  calls.delete(`${path}/members/${random.pick(known.users).id}`);

function commit({ send, random, known, next }: Stage) {
  const actions = [{ action: 'create', file_path: `file${next()}.txt`, content: `${next()}` }];
  const given = { branch: 'main', commit_message: `Change ${next()}`, actions };
  return send('POST', `/projects/${random.pick(known.projects)}/repository/commits`, given);
}

async function changeRef({ send, random, known, next }: Stage): Promise<void> {
  const path = `/projects/${random.pick(known.projects)}/repository`;
  const branch = `branch${next()}`;
  await send('POST', `${path}/branches`, { branch, ref: 'main' });
  if (random.below(2) === 0) await send('DELETE', `${path}/branches/${branch}`);
  else
    await send('POST', `${path}/tags`, {
      tag_name: `v${next()}`,
      ref: 'main',
      message: random.pick(['', 'Said']),
    });
}

async function openIssue({ send, random, known, now, next }: Stage): Promise<void> {
  const project = random.pick(known.projects);
  const { status, body } = await send('POST', `/projects/${project}/issues`, {
    title: `Issue ${next()}`,
    description: random.pick([undefined, `Text ${next()}`]),
    labels: random.pick(['', 'bug', 'bug,docs']),
    assignee_ids: [random.pick(known.users).id],
    confidential: random.below(5) === 0,
    created_at: random.below(5) === 0 ? new Date(now().getTime() - DAY_MS).toISOString() : undefined,
  });
  if (status === 201) known.issues.push({ project, iid: body.iid, notes: [] });
}

function changeIssue({ send, random, known, next }: Stage) {
  const change = random.pick([
    { title: `Retitled ${next()}` },
    { description: `Rewritten ${next()}` },
    { state_event: 'close' },
    { state_event: 'reopen' },
    { state_event: 'close' },
    { labels: random.pick(LABELS) },
    { add_labels: random.pick(LABELS), remove_labels: random.pick(LABELS) },
    { assignee_ids: [random.pick(known.users).id] },
    { due_date: '2027-01-31', confidential: random.below(2) === 0 },
    { discussion_locked: random.below(2) === 0, weight: random.below(9), issue_type: 'incident' },
  ]);
  return send('PUT', pathOf(random.pick(known.issues)), change);
}

async function deleteIssue({ calls, random, known }: Stage): Promise<void> {
  const issue = random.pick(known.issues);
  await calls.delete(pathOf(issue));
  known.issues = known.issues.filter((other) => other !== issue);
}

async function comment({ send, random, known, next }: Stage): Promise<void> {
  const issue = random.pick(known.issues);
  const given = { body: `Said ${next()}`, confidential: random.below(6) === 0 };
  const path = `${pathOf(issue)}/${random.pick(['notes', 'notes', 'discussions'])}`;
  const reply = await send('POST', path, given);
  if (reply.status !== 201) return;
  issue.notes.push(reply.body.notes?.[0].id ?? reply.body.id);
  if (reply.body.notes && random.below(2) === 0)
    await send('POST', `${path}/${reply.body.id}/notes`, { body: 'And' });
}

async function changeNote({ calls, random, known, next }: Stage): Promise<void> {
  const issue = random.pick(known.issues);
  const note = issue.notes.length > 0 ? random.pick(issue.notes) : 0;
  if (random.below(2) === 0) await calls.put(`${pathOf(issue)}/notes/${note}`, { body: `Edited ${next()}` });
  else await calls.delete(`${pathOf(issue)}/notes/${note}`);
}

function bookTime({ send, random, known }: Stage) {
  const [path, given] = random.pick([
    ['time_estimate', { duration: '3h' }],
    ['reset_time_estimate', {}],
    ['add_spent_time', { duration: '1h30m', summary: 'Worked' }],
    ['add_spent_time', { duration: '45m' }],
    ['add_spent_time', { duration: '-15m' }],
    ['reset_spent_time', {}],
  ] as const);
  return send('POST', `${pathOf(random.pick(known.issues))}/${path}`, given);
}

async function createEnvironment({ send, random, known, next }: Stage): Promise<void> {
  const project = random.pick(known.projects);
  const given = { name: `place/${next()}`, external_url: random.pick([undefined, 'https://place.example']) };
  const environment = id(await send('POST', `/projects/${project}/environments`, given));
  if (environment !== undefined) known.environments.push({ project, id: environment });
}

function changeEnvironment({ send, random, known, next }: Stage) {
  const { project, id: environment } = random.pick(known.environments);
  const path = `/projects/${project}/environments/${environment}`;
  const kind = random.below(3);
  if (kind === 0) return send('PUT', path, { external_url: `https://place${next()}.example` });
  return kind === 1 ? send('POST', `${path}/stop`) : send('DELETE', path);
}

async function createPeriod({ send, random, known }: Stage): Promise<void> {
  const project = random.pick(known.projects);
  const given = { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1', cron_timezone: 'UTC' };
  const period = id(await send('POST', `/projects/${project}/freeze_periods`, given));
  if (period !== undefined) known.periods.push({ project, id: period });
}

function changePeriod({ send, random, known }: Stage) {
  const { project, id: period } = random.pick(known.periods);
  const path = `/projects/${project}/freeze_periods/${period}`;
  if (random.below(3) === 0) return send('DELETE', path);
  return send('PUT', path, { freeze_end: `0 ${random.below(24)} * * 1` });
}
