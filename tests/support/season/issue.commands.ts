import type { Stage, WeightedCommand } from './stage.ts';

const LABELS = ['bug', 'feature', 'docs', 'later'] as const;

export const issueCommands: readonly WeightedCommand[] = [
  [14, openIssue],
  [10, changeIssue],
  [9, ({ calls, pick }) => calls.put(pathOf(pick.issues()), { state_event: 'close' })],
  [3, deleteIssue],
  [10, comment],
  [4, changeNote],
  [6, react],
  [8, bookTime],
  [6, ({ send, pick }) => send('POST', `${pathOf(pick.issues())}/todo`)],
  [
    4,
    ({ send, pick, isHeads }) => send('POST', `${pathOf(pick.issues())}/${isHeads() ? 'un' : ''}subscribe`),
  ],
  [3, ({ send, random }) => send('POST', random.pick(['/todos/mark_as_done', '/todos/1/mark_as_done']))],
];

const pathOf = ({ project, iid }: { project: number; iid: number }) => `/projects/${project}/issues/${iid}`;

export async function openIssue({ send, random, known, pick, next, yesterday }: Stage): Promise<void> {
  const project = pick.projects();
  const { status, body } = await send('POST', `/projects/${project}/issues`, {
    title: `Issue ${next()}`,
    description: random.pick([undefined, `Text ${next()}`]),
    labels: random.pick(['', 'bug', 'bug,docs']),
    assignee_ids: [pick.users().id],
    confidential: random.below(5) === 0,
    created_at: random.below(5) === 0 ? yesterday() : undefined,
  });
  if (status === 201) known.issues.push({ project, iid: body.iid, notes: [] });
}

function changeIssue({ send, random, pick, isHeads, next }: Stage) {
  const change = random.pick([
    { title: `Retitled ${next()}` },
    { description: `Rewritten ${next()}` },
    { state_event: 'close' },
    { state_event: 'reopen' },
    { state_event: 'close' },
    { labels: random.pick(LABELS) },
    { add_labels: random.pick(LABELS), remove_labels: random.pick(LABELS) },
    { assignee_ids: [pick.users().id] },
    { due_date: '2027-01-31', confidential: isHeads() },
    { discussion_locked: isHeads(), weight: random.below(9), issue_type: 'incident' },
  ]);
  return send('PUT', pathOf(pick.issues()), change);
}

async function deleteIssue({ calls, known, pick }: Stage): Promise<void> {
  const issue = pick.issues();
  await calls.delete(pathOf(issue));
  known.issues = known.issues.filter((other) => other !== issue);
}

async function comment({ send, random, pick, isHeads, next }: Stage): Promise<void> {
  const issue = pick.issues();
  const given = { body: `Said ${next()}`, confidential: random.below(6) === 0 };
  const path = `${pathOf(issue)}/${random.pick(['notes', 'notes', 'discussions'])}`;
  const reply = await send('POST', path, given);
  if (reply.status !== 201) return;
  issue.notes.push(reply.body.notes?.[0].id ?? reply.body.id);
  if (reply.body.notes && isHeads()) await send('POST', `${path}/${reply.body.id}/notes`, { body: 'And' });
}

async function changeNote({ calls, random, pick, isHeads, next }: Stage): Promise<void> {
  const issue = pick.issues();
  const note = issue.notes.length > 0 ? random.pick(issue.notes) : 0;
  const path = `${pathOf(issue)}/notes/${note}`;
  if (isHeads()) await calls.put(path, { body: `Edited ${next()}` });
  else await calls.delete(path);
}

async function react({ send, calls, random, pick, isHeads }: Stage): Promise<void> {
  const issue = pick.issues();
  const note = isHeads() && issue.notes.length > 0 ? `/notes/${random.pick(issue.notes)}` : '';
  const path = `${pathOf(issue)}${note}/award_emoji`;
  const reply = await send('POST', path, { name: random.pick(['thumbsup', 'thumbsdown', 'tada']) });
  if (reply.status === 201 && isHeads()) await calls.delete(`${path}/${reply.body.id}`);
}

function bookTime({ send, random, pick }: Stage) {
  const [path, given] = random.pick([
    ['time_estimate', { duration: '3h' }],
    ['reset_time_estimate', {}],
    ['add_spent_time', { duration: '1h30m', summary: 'Worked' }],
    ['add_spent_time', { duration: '45m' }],
    ['add_spent_time', { duration: '-15m' }],
    ['reset_spent_time', {}],
  ] as const);
  return send('POST', `${pathOf(pick.issues())}/${path}`, given);
}
