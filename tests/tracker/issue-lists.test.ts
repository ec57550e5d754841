import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { type Inhabitant, record, settleMember, settleProject, settleUser } from '../support/inhabitants.ts';
import { archive, type Place, settleGroup, settleGroupMember, settleGroupProject } from './places.ts';
import { type ModelIssue, randomIssues } from './random-issues.ts';

/*
 * Every filter against the plainest recomputation there is: the model keeps the same issues in an array, and each
 * query names the predicate and the order that it stands for.
 */

// A Friday.
const TODAY = '2026-11-20';
const ISSUES = 400;

let forgelog: Forgelog;
let model: ModelIssue[];
let group: Place;
let below: Place;
let inGroup: Place;
let projects: { public: number; internal: number; private: number; group: number; archived: number };
let people: Record<'rita' | 'gus' | 'otto' | 'mia', Inhabitant>;

beforeAll(async () => {
  forgelog = await startForgelog({ clock: () => new Date(`${TODAY}T12:00:00.000Z`) });
  people = {
    rita: await settleUser(forgelog, 'rita'),
    gus: await settleUser(forgelog, 'gus'),
    otto: await settleUser(forgelog, 'otto'),
    mia: await settleUser(forgelog, 'mia'),
  };
  group = await settleGroup(forgelog, 'crew', { visibility: 'public' });
  below = await settleGroup(forgelog, 'below', { parent: group });
  inGroup = await settleGroupProject(forgelog, below, 'deep');
  await settleGroupMember(forgelog, group, people.mia, 20);
  projects = {
    public: await settleProject(forgelog, 'public', { visibility: 'public' }),
    internal: await settleProject(forgelog, 'internal', { visibility: 'internal' }),
    private: await settleProject(forgelog, 'private'),
    group: inGroup.id,
    archived: await settleProject(forgelog, 'archived', { visibility: 'public' }),
  };
  await settleMember(forgelog, projects.private, people.rita, 20);
  await settleMember(forgelog, projects.private, people.gus, 10);
  const users = [1, ...Object.values(people).map(({ id }) => id)];
  model = randomIssues(ISSUES, { seed: 20_261_120, today: TODAY, projects: Object.values(projects), users });
  await Promise.all(model.map((issue) => record(forgelog, issue.stream, issue.authorId, ...issue.events)));
  await archive(forgelog, projects.archived);
});
afterAll(() => forgelog.stop());

type Caller = 'root' | 'rita' | 'gus' | 'otto' | 'mia' | null;
const tokenOf = (caller: Caller) =>
  caller === null ? null : caller === 'root' ? forgelog.rootToken : people[caller].token;
const idOf = (caller: Caller) => (caller === null ? null : caller === 'root' ? 1 : people[caller].id);

/** What the caller may read, by the rules in words. */
function readable(caller: Caller, issue: ModelIssue): boolean {
  if (caller === 'root') return true;
  const { projectId } = issue;
  const level =
    projectId === projects.private && caller === 'rita'
      ? 20
      : projectId === projects.private && caller === 'gus'
        ? 10
        : projectId === projects.group && caller === 'mia'
          ? 20
          : 0;
  const isOpen =
    projectId === projects.public ||
    projectId === projects.archived ||
    (projectId === projects.internal && caller !== null);
  if (level === 0 && !isOpen) return false;
  const id = idOf(caller);
  return !issue.confidential || level >= 20 || issue.authorId === id || issue.assigneeIds.includes(id!);
}

type Predicate = (issue: ModelIssue) => boolean;
type Order = (issue: ModelIssue) => string | number;

function ordered(issues: ModelIssue[], key: Order, direction: 1 | -1): number[] {
  const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);
  return [...issues]
    .sort(
      (a, b) =>
        direction * (compare(key(a), key(b)) || compare(a.projectId, b.projectId) || compare(a.iid, b.iid)),
    )
    .map(({ id }) => id);
}

/** All pages of a list, and what its header says of their number. */
async function listed(path: string, caller: Caller, size = 100): Promise<number[]> {
  const ids: number[] = [];
  for (let page = 1; ; page++) {
    const reply = await forgelog.get(
      `${path}${path.includes('?') ? '&' : '?'}per_page=${size}&page=${page}`,
      {
        token: tokenOf(caller),
      },
    );
    expect(reply.status, reply.text).toBe(200);
    ids.push(...reply.body.map(({ id }: { id: number }) => id));
    if (reply.headers.get('x-next-page') !== '') continue;
    expect(reply.headers.get('x-total')).toBe(String(ids.length));
    return ids;
  }
}

const newest: Order = ({ createdAt }) => createdAt;
const hasLabel =
  (name: string): Predicate =>
  ({ labels }) =>
    labels.includes(name);
const assigned =
  (name: keyof typeof people): Predicate =>
  ({ assigneeIds }) =>
    assigneeIds.includes(people[name].id);
const mine =
  (name: keyof typeof people): Predicate =>
  ({ authorId }) =>
    authorId === people[name].id;
const due =
  (from: string, to: string): Predicate =>
  ({ dueDate }) =>
    dueDate !== null && dueDate >= from && dueDate <= to;
const all: Predicate = () => true;
const none: Predicate = () => false;

const FILTERS: [query: string, predicate: Predicate][] = [
  ['', all],
  ['state=all', all],
  ['state=opened', ({ state }) => state === 'opened'],
  ['state=closed', ({ state }) => state === 'closed'],
  ['confidential=true', ({ confidential }) => confidential],
  ['confidential=false', ({ confidential }) => !confidential],
  ['issue_type=issue', ({ issueType }) => issueType === 'issue'],
  ['issue_type=incident', ({ issueType }) => issueType === 'incident'],
  ['issue_type=test_case', ({ issueType }) => issueType === 'test_case'],
  ['labels=bug', hasLabel('bug')],
  ['labels=bug,ui', (issue) => hasLabel('bug')(issue) && hasLabel('ui')(issue)],
  ['labels[]=bug&labels[]=a%20b', (issue) => hasLabel('bug')(issue) && hasLabel('a b')(issue)],
  ['labels=Bug', hasLabel('Bug')],
  ['labels=nothing', none],
  ['labels=None', ({ labels }) => labels.length === 0],
  ['labels=aNY', ({ labels }) => labels.length > 0],
  ['labels=', all],
  ['assignee_id=None', ({ assigneeIds }) => assigneeIds.length === 0],
  ['assignee_id=any', ({ assigneeIds }) => assigneeIds.length > 0],
  ['assignee_id=1', ({ assigneeIds }) => assigneeIds.includes(1)],
  ['assignee_username=rita', (issue) => assigned('rita')(issue)],
  [
    'assignee_username[]=rita&assignee_username[]=gus',
    (issue) => assigned('rita')(issue) && assigned('gus')(issue),
  ],
  ['assignee_username=nobody', none],
  ['author_id=1', ({ authorId }) => authorId === 1],
  ['author_username=RITA', (issue) => mine('rita')(issue)],
  ['author_username=nobody', none],
  ['iids[]=1&iids[]=7&iids[]=9999999999', ({ iid }) => iid === 1 || iid === 7],
  ['iids=3', ({ iid }) => iid === 3],
  ['search=alpha', ({ title, description }) => /alpha/i.test(title) || /alpha/i.test(description ?? '')],
  [
    'search=ALPHA%20beta',
    ({ title, description }) =>
      [title, description ?? ''].some((text) => /alpha/i.test(text) && /beta/i.test(text)),
  ],
  ['search=%25', ({ title, description }) => `${title}${description}`.includes('%')],
  ['search=', all],
  ['weight=3', ({ weight }) => weight === 3],
  ['weight=0', ({ weight }) => weight === 0],
  ['weight=None', ({ weight }) => weight === null],
  ['weight=Any', ({ weight }) => weight !== null],
  ['milestone=None', all],
  ['milestone=Any', none],
  ['milestone=v1', none],
  ['iteration_id=None', all],
  ['iteration_id=Any', none],
  ['iteration_id=4', none],
  ['iteration_title=x', none],
  ['due_date=0', ({ dueDate }) => dueDate === null],
  ['due_date=overdue', ({ dueDate }) => dueDate !== null && dueDate < TODAY],
  ['due_date=week', due('2026-11-16', '2026-11-22')],
  ['due_date=month', due('2026-11-01', '2026-11-30')],
  ['due_date=next_month_and_previous_two_weeks', due('2026-11-06', '2026-12-31')],
  ['created_after=2026-11-10T00:00:00Z', ({ createdAt }) => createdAt >= '2026-11-10'],
  ['created_before=2026-11-10T00:00:00Z', ({ createdAt }) => createdAt <= '2026-11-10T00:00:00.000Z'],
  [
    'created_after=2026-11-05&created_before=2026-11-10',
    ({ createdAt }) => createdAt >= '2026-11-05' && createdAt <= '2026-11-10T00:00:00.000Z',
  ],
  ['updated_after=2026-11-10T00:00:00Z', ({ updatedAt }) => updatedAt >= '2026-11-10'],
  ['updated_before=2026-11-10T00:00:00Z', ({ updatedAt }) => updatedAt <= '2026-11-10T00:00:00.000Z'],
  ['not[labels]=bug', (issue) => !hasLabel('bug')(issue)],
  ['not[labels]=bug,ui', (issue) => !hasLabel('bug')(issue) && !hasLabel('ui')(issue)],
  ['not[labels]=None', ({ labels }) => labels.length > 0],
  ['not[assignee_id]=1', ({ assigneeIds }) => !assigneeIds.includes(1)],
  ['not[assignee_username]=rita', (issue) => !assigned('rita')(issue)],
  [
    'not[assignee_username][]=rita&not[assignee_username][]=gus',
    (issue) => !assigned('rita')(issue) && !assigned('gus')(issue),
  ],
  ['not[author_id]=1', ({ authorId }) => authorId !== 1],
  ['not[author_username]=rita', (issue) => !mine('rita')(issue)],
  ['not[author_username]=nobody', all],
  ['not[iids][]=1&not[iids][]=2', ({ iid }) => iid !== 1 && iid !== 2],
  ['not[weight]=3', ({ weight }) => weight !== 3],
  ['not[milestone]=v1', all],
  ['not[milestone]=None', none],
  ['not[iteration_id]=4', all],
  ['not[iteration_title]=x', all],
  [
    'state=opened&labels=bug&not[author_id]=1&weight=Any',
    ({ state, labels, authorId, weight }) =>
      state === 'opened' && labels.includes('bug') && authorId !== 1 && weight !== null,
  ],
];

/** Rights and filters have nothing to do with each other: everybody sees the list as such, some each filter. */
const ALL_CALLERS: Caller[] = ['root', 'rita', 'gus', 'otto', 'mia', null];
const CASES = FILTERS.flatMap(([query, predicate]) =>
  (query === '' ? ALL_CALLERS : (['root', 'gus', 'mia'] as const)).map(
    (caller) => [query, caller, predicate] as const,
  ),
);

test.each(CASES)('?%s as %s', async (query, caller, predicate) => {
  const seen = model.filter((issue) => readable(caller, issue) && predicate(issue));
  const across = seen.filter(({ projectId }) => projectId !== projects.archived);
  expect(await listed(`/issues?scope=all&${query}`, caller)).toEqual(ordered(across, newest, -1));
  const ofGroup = across.filter(({ projectId }) => projectId === projects.group);
  expect(await listed(`/groups/${group.id}/issues?${query}`, caller)).toEqual(ordered(ofGroup, newest, -1));
  const ofProject = seen.filter(({ projectId }) => projectId === projects.public);
  expect(await listed(`/projects/${projects.public}/issues?${query}`, caller)).toEqual(
    ordered(ofProject, newest, -1),
  );
});

const LAST = Number.MAX_SAFE_INTEGER;
const ORDERS: [by: string, ascending: Order, descending: Order][] = [
  ['created_at', newest, newest],
  ['updated_at', ({ updatedAt }) => updatedAt, ({ updatedAt }) => updatedAt],
  ['due_date', ({ dueDate }) => dueDate ?? '9999', ({ dueDate }) => dueDate ?? ''],
  ['weight', ({ weight }) => weight ?? LAST, ({ weight }) => weight ?? -1],
  ['priority', newest, newest],
  ['label_priority', newest, newest],
  ['milestone_due', newest, newest],
  // Nobody has reacted to any of them.
  ['popularity', () => 0, () => 0],
  ['relative_position', ({ iid }) => iid, ({ iid }) => iid],
];

test.each(ORDERS)('order_by=%s', async (by, ascending, descending) => {
  for (const [path, projectId] of [
    ['/issues?scope=all', null],
    [`/projects/${projects.private}/issues?scope=all`, projects.private],
  ] as const) {
    const seen = model.filter(
      (issue) =>
        readable('rita', issue) &&
        (projectId === null ? issue.projectId !== projects.archived : issue.projectId === projectId),
    );
    const order = `${path}&order_by=${by}`;
    expect(await listed(`${order}&sort=asc`, 'rita', 7)).toEqual(ordered(seen, ascending, 1));
    expect(await listed(`${order}&sort=desc`, 'rita', 37)).toEqual(ordered(seen, descending, -1));
    expect(await listed(order, 'rita')).toEqual(ordered(seen, descending, -1));
  }
});

test('the own issues are listed unless told otherwise, and signing in is needed for that', async () => {
  const seen = model.filter((issue) => readable('rita', issue) && issue.projectId !== projects.archived);
  const created = ordered(seen.filter(mine('rita')), newest, -1);
  const given = ordered(seen.filter(assigned('rita')), newest, -1);
  for (const query of ['', '?scope=created_by_me', '?scope=created-by-me'])
    expect(await listed(`/issues${query}`, 'rita')).toEqual(created);
  for (const query of ['?scope=assigned_to_me', '?scope=assigned-to-me'])
    expect(await listed(`/issues${query}`, 'rita')).toEqual(given);
  expect(await listed('/issues?scope=assigned_to_me&author_username=gus', 'rita')).toEqual(
    ordered(
      seen.filter((issue) => assigned('rita')(issue) && mine('gus')(issue)),
      newest,
      -1,
    ),
  );
  for (const query of ['', '?scope=created_by_me', '?scope=assigned_to_me'])
    expect(await forgelog.get(`/issues${query}`, { token: null })).toMatchObject({
      status: 401,
      body: { message: '401 Unauthorized' },
    });
  const scoped = `/projects/${projects.public}/issues?scope=`;
  expect(await listed(`${scoped}created_by_me`, 'otto')).toEqual(
    ordered(
      model.filter((i) => i.projectId === projects.public && mine('otto')(i)),
      newest,
      -1,
    ),
  );
  expect(await listed(`${scoped}assigned_to_me`, null)).toEqual([]);
});

test('issues of archived projects are hidden unless asked for', async () => {
  const seen = model.filter((issue) => readable('otto', issue));
  expect(await listed('/issues?scope=all&non_archived=false', 'otto')).toEqual(ordered(seen, newest, -1));
  const old = seen.filter(({ projectId }) => projectId === projects.archived);
  expect(old.length).toBeGreaterThan(10);
  expect(await listed(`/projects/${projects.archived}/issues`, 'otto')).toEqual(ordered(old, newest, -1));
});

test('text is searched where it is asked for', async () => {
  const find = (query: string) =>
    listed(`/projects/${projects.public}/issues?search=alpha&in=${query}`, 'root');
  const of = (text: (issue: ModelIssue) => string | null) =>
    ordered(
      model.filter((i) => i.projectId === projects.public && /alpha/i.test(text(i) ?? '')),
      newest,
      -1,
    );
  expect(await find('title')).toEqual(of(({ title }) => title));
  expect(await find('description')).toEqual(of(({ description }) => description));
  expect(await find('title,description')).toEqual(of(({ title, description }) => `${title} ${description}`));
  const wrong = await forgelog.get('/issues?scope=all&search=x&in=labels');
  expect(wrong.body).toEqual({ error: 'in does not have a valid value' });
});

test('nobody reacted to anything', async () => {
  const path = `/projects/${projects.public}/issues?my_reaction_emoji=`;
  const count = async (emoji: string) => (await listed(path + emoji, 'root')).length;
  expect(await count('None')).toBe(await count(''));
  expect(await count('Any')).toBe(0);
  expect(await count('star')).toBe(0);
});

test('a private group is no one elses to list', async () => {
  for (const caller of ['otto', null] as const)
    expect(await forgelog.get(`/groups/${below.id}/issues`, { token: tokenOf(caller) })).toMatchObject({
      status: 404,
      body: { message: '404 Group Not Found' },
    });
  const path = `/groups/${encodeURIComponent(below.fullPath)}/issues`;
  expect((await listed(path, 'mia')).length).toBe(model.filter((i) => i.projectId === projects.group).length);
});

test('what excludes each other, or is no value, is refused', async () => {
  const refused = async (query: string) => {
    const replies = await Promise.all(
      ['/issues', `/groups/${group.id}/issues`, `/projects/${projects.public}/issues`].map((path) =>
        forgelog.get(`${path}?${query}`),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    return replies[0]!.body.error;
  };
  expect(await refused('assignee_id=1&assignee_username=rita')).toBe(
    'assignee_id, assignee_username are mutually exclusive',
  );
  expect(await refused('author_id=1&author_username=rita')).toBe(
    'author_id, author_username are mutually exclusive',
  );
  expect(await refused('iteration_id=1&iteration_title=x')).toBe(
    'iteration_id, iteration_title are mutually exclusive',
  );
  expect(await refused('not[author_id]=1&not[author_username]=rita')).toBe(
    'not[author_id], not[author_username] are mutually exclusive',
  );
  for (const query of [
    'due_date=tomorrow',
    'state=open',
    'order_by=title',
    'sort=up',
    'scope=mine',
    'issue_type=epic',
  ])
    expect(await refused(query)).toBe(`${query.split('=')[0]} does not have a valid value`);
  expect(await refused('assignee_id=me')).toBe('assignee_id is invalid');
  expect(await refused('created_after=yesterday')).toBe('created_after is invalid');
  expect(await refused('confidential=maybe')).toBe('confidential is invalid');
});

test('labels are told in detail where asked, and references by where they are read from', async () => {
  const labelled = model.find((i) => i.projectId === projects.public && i.labels.length > 1)!;
  const query = `iids[]=${labelled.iid}&with_labels_details=true`;
  const [inProject] = (await forgelog.get(`/projects/${projects.public}/issues?${query}`)).body;
  expect(inProject.labels.map(({ name }: { name: string }) => name)).toEqual(labelled.labels);
  expect(inProject.labels[0]).toEqual({
    name: labelled.labels[0],
    color: '#6699cc',
    description: null,
    description_html: '',
    text_color: '#FFFFFF',
  });
  expect(inProject.references.relative).toBe(`#${labelled.iid}`);
  const everywhere = (await forgelog.get(`/issues?scope=all&iids[]=${labelled.iid}`)).body;
  const across = everywhere.find(({ id }: { id: number }) => id === labelled.id);
  expect(across.references).toEqual({
    short: `#${labelled.iid}`,
    relative: `root/public#${labelled.iid}`,
    full: `root/public#${labelled.iid}`,
  });
  expect(across.labels).toEqual(labelled.labels);
});
